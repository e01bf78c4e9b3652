import { type Logger, makeLogger } from '../../shared/platform/logger.ts';

declare global {
  /** Log lines of the running test. The environment creates it, empties it after each test and prints it if a test or hook fails. */
  var failureLog: string[] | undefined;
}

/** A logger for services under test. Its lines, such as the reason for a 500, are printed only if the test fails. */
export function makeFailureLog(): Logger {
  return makeLogger({
    level: 'error',
    name: 'test',
    destination: { write: (line) => void globalThis.failureLog?.push(line) },
  });
}
