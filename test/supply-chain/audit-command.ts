import { execFile } from 'node:child_process';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { judgeSignatures, judgeVulnerabilities } from './judge-audit.ts';

// `npm run check:audit`: fails on what the registry says, never for its silence.

const ANSWER_MS_MAX = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const [vulnerabilities, signatures] = await Promise.all([
  ask(['audit', '--omit=dev']),
  ask(['audit', 'signatures']),
]);
for (const { isBad, line } of [
  judgeVulnerabilities(vulnerabilities),
  judgeSignatures(signatures),
]) {
  process.stdout.write(`${line}\n`);
  if (isBad) process.exitCode = 1;
}

/** npm fails with findings and without an answer alike: its output tells which. */
function ask(command: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      'npm',
      [...command, '--json', '--fetch-retries=0'],
      { cwd: findProjectRoot(), timeout: ANSWER_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX },
      (_failure, output) => resolve(output),
    );
  });
}
