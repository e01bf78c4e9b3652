import { relative } from 'node:path';
import { failedLine } from './failed-line.js';

/**
 * Ends the run with a line for each failure, which `.ci/run` repeats at its end, and with one machine-readable line. A file
 * that did not load counts as one failure.
 */
export default class ClosingLineReporter {
  failed = [];

  onTestFileResult({ path, context }, { testExecError, testResults }) {
    const { displayName, rootDir } = context.config;
    const where = `${displayName?.name} ${relative(rootDir, path)}`;
    if (testExecError) this.failed.push(failedLine(where, testExecError.stack));
    for (const { status, fullName, failureMessages } of testResults)
      if (status === 'failed')
        this.failed.push(failedLine(`${where} ${fullName}`, ...failureMessages));
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    process.stdout.write(
      `${this.failed.join('')}${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`,
    );
  }
}
