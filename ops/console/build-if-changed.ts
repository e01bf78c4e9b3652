import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { consoleFolder, isCompiled } from '../../api/console/console-folder.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { hashSources, isBuiltFrom } from './source-hash.ts';

/**
 * Builds the console for programs that run from the sources, unless it is built from the same sources already. In its own process,
 * because the compiler keeps memory that a registry needs. Rejects with the compiler's output.
 */
export async function buildConsoleIfChanged(): Promise<void> {
  if (isCompiled() || isBuilt()) return;
  const command = join('ops', 'build-console.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', command], {
    cwd: findProjectRoot(),
    // In any other mode the packages would be built with their checks for developers.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const add = (text: Buffer): void => {
    output += text.toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Of two builds at once, the second cannot replace what the first has just put there, and need not.
  if (code !== 0 && !isBuilt()) throw new Error(`the console could not be built:\n${output}`);
}

function isBuilt(): boolean {
  return isBuiltFrom(consoleFolder(), hashSources());
}
