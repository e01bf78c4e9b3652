import { isTerminal, type TransmissionStatus } from '../../../../shared/contract/enums.ts';
import { ERRORS, type ErrorCode } from '../../../../shared/contract/errors.ts';
import { FINDING_CODES, type FindingCode } from '../../../../shared/contract/findings.ts';
import type { TransmissionSummary } from '../../../../shared/contract/machine/transmissions/summary.ts';
import type { End, Named, SettledLine } from '../journal/journal-lines.ts';

export const END_OF_STATUS: Readonly<Record<TransmissionStatus, End>> = {
  RECEIVED: 'inProgress',
  VALIDATING: 'inProgress',
  ACCEPTED: 'accepted',
  FLAGGED: 'flagged',
  REJECTED: 'rejected',
};

interface Collected {
  readonly status: TransmissionStatus;
  readonly errorCode: string | null;
  readonly transmissionReference: string | null;
  readonly registryReference: string | null;
  readonly findings?: TransmissionSummary['findings'];
}

/** The outcome from the change feed, or from a lookup, which has findings too. Undefined while it is in progress. */
export function collectedLineOf(named: Named, collected: Collected): SettledLine | undefined {
  const { status, errorCode, transmissionReference, registryReference, findings = [] } = collected;
  if (!isTerminal(status)) return undefined;
  return {
    ...named,
    type: 'settled',
    end: END_OF_STATUS[status],
    http: errorCode === null ? 201 : httpOf(errorCode),
    errorCode,
    transmissionReference,
    registryReference,
    details: findings.map(({ code, field }) => ({ code, field, message: causeOf(code) })),
    at: new Date().toISOString(),
  };
}

/** The status of an answer with this code. 422 for a code that this release does not know. */
export function httpOf(code: string): number {
  return code in ERRORS ? ERRORS[code as ErrorCode].http : 422;
}

function causeOf(code: string): string {
  return code in FINDING_CODES ? FINDING_CODES[code as FindingCode].cause : '';
}
