import { failedLine } from '../env/failed-line.js';

export interface Report {
  /** Runs a check and prints whether it passed. Returns its result, or undefined when it threw. */
  check<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result | undefined>;
  skip(name: string, reason: string): void;
  /** Prints the closing line that `.ci/run` reads. Returns the number of failures. */
  end(): number;
}

export function makeReport(): Report {
  let passed = 0;
  let failed = 0;
  return {
    async check(name, run) {
      try {
        const result = await run();
        passed += 1;
        process.stdout.write(`ok ${name}\n`);
        return result;
      } catch (error) {
        failed += 1;
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.stdout.write(failedLine(name, reason));
        return undefined;
      }
    },
    skip(name, reason) {
      process.stdout.write(`NOT CHECKED ${name}: ${reason}\n`);
    },
    end() {
      process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
      return failed;
    },
  };
}
