import { type Logger, makeLogger } from '../../shared/platform/logger.ts';

declare global {
  /** Lines of the test that runs. The environment makes it, empties it before each test and prints it when one or a hook fails. */
  var failureLog: string[] | undefined;
}

/** What a service of a test reports as an error is only read when the test fails: it says why an answer was a 500. */
export function makeFailureLog(): Logger {
  return makeLogger({
    level: 'error',
    name: 'test',
    destination: { write: (line) => void globalThis.failureLog?.push(line) },
  });
}
