import { makePackage } from './make-package.ts';

// npm run package: makes the tarball of the TypeScript client in dist/ and prints its path.
process.stdout.write(`${makePackage()}\n`);
