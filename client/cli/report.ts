import type { Finding } from '../../shared/contract/findings.ts';
import type { Failure, Outcome } from '../outcome.ts';
import type { SubmissionOutcome } from '../registry-client.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The outputs of the program. */
export interface Console {
  /** Data for other programs. */
  data(text: string): void;
  /** Messages for people. */
  message(text: string): void;
}

/** Prints an answer and returns the exit code. */
export function reportOutcome(console: Console, outcome: Outcome<object, object>): number {
  if (outcome.data !== null) console.data(JSON.stringify(outcome.data, null, 2));
  if (outcome.ok) return EXIT_CODES.done;
  console.message(errorLines(outcome).join('\n'));
  return outcome.error.code === 'TRANSMISSION_IN_PROGRESS'
    ? EXIT_CODES.inProgress
    : EXIT_CODES.refused;
}

/** Prints the outcome of a submission and returns the exit code. */
export function reportSubmission(console: Console, outcome: SubmissionOutcome): number {
  const exitCode = reportOutcome(console, outcome);
  if (outcome.ok) {
    const { status, registryReference, replayed, warnings, flags } = outcome.data;
    console.message(
      [
        `${status} as ${registryReference ?? 'nothing yet'}${replayed ? ' (an earlier transmission; nothing new was registered)' : ''}`,
        ...flags.map((flag) => `  flag ${flag.type}  ${flag.plateNumber ?? ''}  ${flag.message}`),
        ...warnings.map(findingLine),
      ].join('\n'),
    );
  }
  return exitCode;
}

/** Code, message, and every detail with its field. */
export function errorLines({ status, error, requestId }: Failure<unknown>): string[] {
  return [
    `${status} ${error.code}: ${error.message}`,
    ...(error.details ?? []).map(findingLine),
    `  request id: ${error.requestId ?? requestId ?? 'none'}`,
  ];
}

function findingLine({
  level,
  severity,
  code,
  field,
  message,
  registryReference,
}: Finding): string {
  const reference = registryReference === undefined ? '' : ` (${registryReference})`;
  return `  ${severity} level ${level} ${code}  ${field ?? '-'}  ${message}${reference}`;
}
