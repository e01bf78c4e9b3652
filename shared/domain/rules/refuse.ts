import type { Finding } from '../../contract/findings.ts';
import { rejectionCode } from '../../contract/machine/rejection.ts';
import { acknowledge, type TransmissionHead } from '../presentation/acknowledge.ts';
import type { Outcome } from '../registration/plan-registration.ts';
import { noWrites } from '../registration/writes.ts';

/** A cancelled record keeps its numbers (D11), so new coverage needs another certificate number. */
export const RECORD_STAYS_CANCELLED =
  'The record is cancelled and stays so. New coverage needs a new transmission with another certificate number.';

/** Rejects a transmission with exactly these findings. */
export function refuse(
  head: TransmissionHead,
  findings: readonly Finding[],
  plateNumbers: readonly string[],
): Outcome {
  const verdict = {
    status: 'REJECTED' as const,
    errorCode: rejectionCode(findings),
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
