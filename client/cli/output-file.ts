import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** Throws UsageError when an output is one of the files that are read, or cannot be written. Leaves the file as it is, or absent. */
export function requireOutput(output: string, ...inputs: readonly string[]): void {
  if (inputs.some((input) => placeOf(input) === placeOf(output)))
    throw new UsageError(`${output} is also read: name another file for the output.`);
  const isNew = !existsSync(output);
  try {
    closeSync(openSync(output, 'a'));
    if (isNew) rmSync(output);
  } catch (error) {
    throw new UsageError(
      `${output} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function placeOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}
