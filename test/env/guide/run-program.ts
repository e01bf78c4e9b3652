import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProjectCopy } from './project-copy.ts';

const run = promisify(execFile);

/** Runs a TypeScript program and returns what it prints. Throws when it fails. */
export async function runProgram(
  { folder }: ProjectCopy,
  env: NodeJS.ProcessEnv,
  code: string,
): Promise<string> {
  writeFileSync(join(folder, 'program.mts'), code);
  const args = ['--import', 'tsx', 'program.mts'];
  return (await run(process.execPath, args, { cwd: folder, env })).stdout;
}

/** Compiles programs as strictly as TypeScript can. Throws with the compiler's messages. */
export function checkTypes({ folder }: ProjectCopy, programs: readonly string[]): void {
  const files = programs.map((code, index) => {
    const file = `checked-${index}.mts`;
    writeFileSync(join(folder, file), code);
    return file;
  });
  const options =
    '--noEmit --strict --skipLibCheck --module nodenext --lib es2023 --allowImportingTsExtensions --types node';
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, ...options.split(' '), ...files];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}
