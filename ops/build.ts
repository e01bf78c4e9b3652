import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { findProjectRoot } from '../shared/platform/project-root.ts';

/** npm run build: JavaScript into dist/, with the files beside the sources that are served as they are. */
function build(): number {
  const root = findProjectRoot();
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'ops/tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) return status ?? 1;
  for (const folder of assetFolders(root))
    cpSync(folder, join(dist, relative(root, folder)), { recursive: true });
  return 0;
}

function assetFolders(root: string): string[] {
  return readdirSync(join(root, 'api'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'assets')
    .map((entry) => join(entry.parentPath, entry.name));
}

process.exitCode = build();
