import { CANCELLATION_REASON_CODES } from '../../../shared/contract/enums.ts';
import type { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import { isDate } from '../calendar.ts';
import { lostAuthority, refused, submissionOf } from './amend.ts';
import { authorityFindings } from './levels.ts';
import { policyOf } from './organizations.ts';
import { text } from './reading/read-body.ts';
import type { ModelRecord, ModelState } from './state.ts';
import type { Decided } from './transmit.ts';
import { present } from './vehicles.ts';

/** D15. */
export function cancel(
  state: ModelState,
  organization: string,
  record: ModelRecord,
  body: CancellationBody,
  today: string,
): Decided {
  const head = {
    kind: 'CANCEL' as const,
    replayed: false,
    externalTransactionId: body.externalTransactionId,
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
  };
  const unauthorized = lostAuthority(state, record, organization);
  if (unauthorized.length > 0) return refused(head, record, 'VALIDATION_FAILED', unauthorized, []);
  if (record.lifecycle === 'CANCELLED')
    return refused(head, record, 'RECORD_CANCELLED', ['RECORD_CANCELLED null']);
  const errors = [
    ...(text(body.policyNumber) === record.policyNumber ? [] : ['RECORD_MISMATCH policyNumber']),
    ...(text(body.cocNumber) === record.cocNumber ? [] : ['RECORD_MISMATCH cocNumber']),
    ...dateFindings(body.cancellationEffectiveDate, policyOf(state, record).issuanceDate, today),
    ...((CANCELLATION_REASON_CODES as readonly string[]).includes(body.reasonCode)
      ? []
      : ['INVALID_FORMAT reasonCode']),
    ...authorityFindings({ ...submissionOf(state, record), pool: null }, organization),
  ];
  if (errors.length > 0) {
    const isMismatch = errors.some((error) => error.startsWith('RECORD_MISMATCH'));
    return refused(head, record, isMismatch ? 'RECORD_MISMATCH' : 'VALIDATION_FAILED', errors);
  }
  record.lifecycle = 'CANCELLED';
  record.cancelledAsOf = body.cancellationEffectiveDate;
  record.isIssuedInError = body.reasonCode === 'ISSUED_IN_ERROR';
  return {
    ack: {
      ...head,
      status: 'ACCEPTED',
      record: record.key,
      version: record.version,
      coverageStatus: 'CANCELLED',
      plateNumbers: present(record).flatMap(({ vehicle }) => vehicle.ids.plateNumber ?? []),
      errors: [],
      warnings: [],
      flags: [],
      referenceMatches: [],
    },
    errorCode: null,
  };
}

function dateFindings(date: string, issuanceDate: string | null, today: string): string[] {
  if (!isDate(date)) return ['INVALID_FORMAT cancellationEffectiveDate'];
  return date > today || (date < today && date < (issuanceDate ?? ''))
    ? ['INVALID_DATE_RANGE cancellationEffectiveDate']
    : [];
}
