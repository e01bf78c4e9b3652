import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { isAlive } from './servers/is-alive.ts';

/** The compiled JavaScript: the tests run what is delivered, and it starts in half the time. */
export interface Build {
  /** A module of the project without its extension, such as `api/main`, as a file to run. */
  fileOf(module: string): string;
  remove(): void;
}

const ASSETS = join('api', 'docs', 'assets');

/** Builds into a folder of the project, so that Node finds the packages. */
export function buildRegistry(): Build {
  const root = findProjectRoot();
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache);
  const folder = mkdtempSync(join(cache, `faults-${process.pid}-`));
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const args = [tsc, '-p', 'ops/tsconfig.build.json', '--outDir', folder, '--sourceMap', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const fileOf = (module: string): string => join(folder, `${module}.js`);
  // Type errors are ignored here; `npm run check` reports them.
  if (!existsSync(fileOf('api/main'))) throw new Error(`the registry cannot be built: ${stdout}`);
  cpSync(join(root, ASSETS), join(folder, ASSETS), { recursive: true });
  return {
    fileOf,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the builds of killed runs. */
function removeAbandoned(cache: string): void {
  for (const entry of readdirSync(cache)) {
    const pid = /^faults-(\d+)-/.exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(cache, entry), { recursive: true, force: true });
    }
  }
}
