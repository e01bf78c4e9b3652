import { makeSbom } from './sbom.ts';

// `npm run sbom`: CycloneDX on standard output.
process.stdout.write(`${JSON.stringify(makeSbom(), undefined, 2)}\n`);
