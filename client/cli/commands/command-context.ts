import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { RegistryClient } from '../../registry-client.ts';
import type { TransportOptions } from '../../transport.ts';
import type { ClientCredentials } from '../credentials.ts';
import { UsageError } from '../exit-codes.ts';
import { decodeText } from '../input/read-text.ts';
import type { Console } from '../report.ts';

/** What the commands share. */
export interface CommandContext {
  readonly console: Console;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  /** Reads standard input to its end. */
  readonly readInput: () => Uint8Array;
  readonly baseUrl: () => string;
  readonly credentials: () => ClientCredentials;
  readonly client: (options?: TransportOptions) => RegistryClient;
  /** Sets the exit code. */
  readonly end: (exitCode: number) => void;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

export function readBytes({ readInput }: CommandContext, file: string): Uint8Array {
  if (file === '-') return readInput();
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Reads JSON from a file, or from standard input for `-`. */
export function readBody<Body>(context: CommandContext, file: string): Body {
  const bytes = readBytes(context, file);
  try {
    return JSON.parse(decodeText(bytes));
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(
      `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
