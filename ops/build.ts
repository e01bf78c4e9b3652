import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { findProjectRoot } from '../shared/platform/project-root.ts';
import { buildConsole } from './console/build-console.ts';
import { weighConsole } from './console/size-budget.ts';

/** npm run build: compiles to JavaScript in dist/, copies the static assets and builds the console, which must keep its size budgets. */
async function build(): Promise<number> {
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
  return buildConsoleWithinBudgets(join(dist, 'console'));
}

async function buildConsoleWithinBudgets(folder: string): Promise<number> {
  await buildConsole(folder);
  const { lines, problems } = weighConsole(folder);
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const problem of problems)
    process.stderr.write(`The console is over its size budget: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

function assetFolders(root: string): string[] {
  return readdirSync(join(root, 'api'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'assets')
    .map((entry) => join(entry.parentPath, entry.name));
}

process.exitCode = await build();
