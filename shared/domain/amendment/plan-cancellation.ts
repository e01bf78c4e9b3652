import { CANCELLATION_REASON_CODES } from '../../contract/enums.ts';
import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { CancellationBody } from '../../contract/machine/cancellation.ts';
import { rejectionCode } from '../../contract/machine/rejection.ts';
import { isCalendarDate, isDateOutOfRange } from '../calendar.ts';
import { acknowledge, type TransmissionHead } from '../presentation/acknowledge.ts';
import type { Outcome } from '../registration/plan-registration.ts';
import { platesOf } from '../registration/submission.ts';
import { noWrites } from '../registration/writes.ts';
import { checkAuthority, checkRecordAuthority } from '../rules/authority.ts';
import type { Facts } from '../rules/facts.ts';
import { RECORD_STAYS_CANCELLED, refuse } from '../rules/refuse.ts';
import { normalizeText } from '../text.ts';
import type { CurrentRecord } from './record.ts';

/** Decides a CANCEL (D15): the lifecycle changes at once, the version stays, and other certificates may cover the vehicles. */
export function decideCancellation(
  head: TransmissionHead,
  record: CurrentRecord,
  body: CancellationBody,
  facts: Facts,
  { transmissionId, now }: { readonly transmissionId: string; readonly now: Date },
  earlier: readonly Finding[],
): Outcome {
  const unauthorized = checkRecordAuthority(record, facts);
  if (unauthorized.length > 0) return refuse(head, [...earlier, ...unauthorized], []);
  const plates = platesOf(record.submission);
  const findings = [...earlier, ...checkCancellation(record, body, facts)];
  if (rejectionCode(findings) !== null) return refuse(head, findings, plates);
  const verdict = {
    status: 'ACCEPTED' as const,
    errorCode: null,
    findings,
    flags: [],
    referenceMatches: [],
    matched: [],
  };
  return {
    verdict,
    certificateId: record.certificateId,
    acknowledgment: acknowledge(head, verdict, plates, {
      registryReference: record.registryReference,
      coverageStatus: 'CANCELLED',
      version: record.version,
    }),
    writes: noWrites(),
    changes: {
      certificateId: record.certificateId,
      amendment: null,
      certificate: null,
      policy: null,
      changedVehicles: [],
      removedOrdinals: [],
      held: [],
      resolvedFlagIds: [],
      cancellation: {
        cancellationEffectiveDate: body.cancellationEffectiveDate.trim(),
        reasonCode: body.reasonCode.trim(),
        reasonText: normalizeText(body.reasonText) ?? '',
        supportingReference: normalizeText(body.supportingReference),
        transmissionId,
        createdAt: now,
      },
    },
  };
}

function checkCancellation(
  { lifecycle, registryReference, submission }: CurrentRecord,
  body: CancellationBody,
  facts: Facts,
): Finding[] {
  if (lifecycle === 'CANCELLED') {
    return [makeFinding('RECORD_CANCELLED', null, RECORD_STAYS_CANCELLED)];
  }
  const findings: Finding[] = [];
  const pairs: [string, string, string | null][] = [
    ['policyNumber', body.policyNumber, submission.policy.policyNumber],
    ['cocNumber', body.cocNumber, submission.certificate.cocNumber],
  ];
  for (const [field, sent, registered] of pairs) {
    if (normalizeText(sent) === null) {
      findings.push(makeFinding('REQUIRED', field, `${field} is required.`));
    } else if (normalizeText(sent) !== registered) {
      const message = `Record ${registryReference} has another ${field}: check the number and the reference.`;
      findings.push(makeFinding('RECORD_MISMATCH', field, message));
    }
  }
  findings.push(
    ...checkDate(
      body.cancellationEffectiveDate.trim(),
      submission.policy.issuanceDate,
      facts.today,
    ),
  );
  if (!(CANCELLATION_REASON_CODES as readonly string[]).includes(body.reasonCode.trim())) {
    const message = `Must be one of ${CANCELLATION_REASON_CODES.join(', ')}.`;
    findings.push(makeFinding('INVALID_FORMAT', 'reasonCode', message));
  }
  if (normalizeText(body.reasonText) === null) {
    findings.push(makeFinding('REQUIRED', 'reasonText', 'reasonText is required.'));
  }
  // Pool membership mattered when the certificate was issued. It does not prevent a cancellation.
  return [...findings, ...checkAuthority({ ...submission, poolCode: null }, facts)];
}

/**
 * The date lies between the earlier of issuance date and today, and today (D30). The issuance date may be tomorrow, and the
 * policy may end before it.
 */
function checkDate(date: string, issuanceDate: string | null, today: string): Finding[] {
  const field = 'cancellationEffectiveDate';
  if (!isCalendarDate(date) && !isDateOutOfRange(date)) {
    return [makeFinding('INVALID_FORMAT', field, 'Must be a calendar date, YYYY-MM-DD.')];
  }
  const first = issuanceDate !== null && issuanceDate < today ? issuanceDate : today;
  if (date >= first && date <= today) return [];
  const message =
    first === today ? `Must be today, ${today}.` : `Must be between ${first} and today, ${today}.`;
  return [makeFinding('INVALID_DATE_RANGE', field, message)];
}
