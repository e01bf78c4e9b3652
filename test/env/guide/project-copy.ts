import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_NAME } from '../../../ops/package/make-package.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

export interface ProjectCopy {
  readonly folder: string;
  /** Only what a terminal has, and nothing of the test run. */
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** What a reader of the guide has in front of them. */
const PARTS = ['package.json', 'api', 'client', 'docs', 'ops', 'prisma', 'shared', 'worker'];

/** A folder that looks like the project, in which snippets may write files, with the package of the TypeScript client installed. */
export function makeProjectCopy(): ProjectCopy {
  const root = findProjectRoot();
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  // The database may run under another account, which must be able to enter.
  chmodSync(folder, 0o755);
  for (const part of PARTS) symlinkSync(join(root, part), join(folder, part));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  installClient(root, join(modules, PACKAGE_NAME));
  return {
    folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_update_notifier: 'false',
    },
    remove() {
      const cluster = join(folder, '.data', 'sandbox', 'postgres');
      if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
      rmSync(folder, { recursive: true });
    },
  };
}

/** The package as `npm run package` makes it, but with sources instead of compiled modules. `npm run clients` tests the tarball. */
function installClient(root: string, folder: string): void {
  mkdirSync(folder);
  for (const part of ['client', 'shared']) symlinkSync(join(root, part), join(folder, part));
  const manifest = {
    name: PACKAGE_NAME,
    type: 'module',
    exports: {
      '.': './client/registry-client.ts',
      './*': './client/*.ts',
      './contract/*': './shared/contract/*.ts',
    },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}
