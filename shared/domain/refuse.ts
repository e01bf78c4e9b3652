import type { ErrorCode } from '../contract/errors.ts';
import type { Finding } from '../contract/findings.ts';
import { acknowledge, type TransmissionHead } from './acknowledge.ts';
import type { Outcome } from './plan-registration.ts';
import { noWrites } from './writes.ts';

/** A transmission rejected with these findings alone. */
export function refuse(
  head: TransmissionHead,
  errorCode: ErrorCode,
  findings: readonly Finding[],
  plateNumbers: readonly string[],
): Outcome {
  const verdict = {
    status: 'REJECTED' as const,
    errorCode,
    findings,
    flags: [],
    referenceMatches: [],
    matched: [],
  };
  return {
    verdict,
    acknowledgment: acknowledge(head, verdict, plateNumbers, null),
    certificateId: null,
    writes: noWrites(),
    changes: null,
  };
}
