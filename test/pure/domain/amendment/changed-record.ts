import type { AmendmentBody } from '../../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../../shared/contract/machine/cancellation.ts';
import { applyChanges } from '../../../../shared/domain/amendment/apply-changes.ts';
import { decideAmendment } from '../../../../shared/domain/amendment/plan-amendment.ts';
import { decideCancellation } from '../../../../shared/domain/amendment/plan-cancellation.ts';
import type { CurrentRecord } from '../../../../shared/domain/amendment/record.ts';
import { presentIdentifiers } from '../../../../shared/domain/identifiers.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import {
  BRAVO,
  MANAGEMENT,
  makeFacts,
  makeMembership,
  makeSubmission,
} from '../facts-and-submissions.ts';

// A registered record and the decisions about its amendment or cancellation.

export const submission = makeSubmission({
  policy: { policyNumber: 'POL-1', issuanceDate: '2026-06-01' },
  certificate: { cocNumber: 'COC-1' },
  vehicles: [makePlainVehicle({ plateNumber: 'AAA111' })],
});
export const [vehicle] = submission.vehicles;
export const RECORD: CurrentRecord = {
  certificateId: 'certificate',
  registryReference: 'PPAI-2026-000000007',
  lifecycle: 'CURRENT',
  version: 2,
  policyId: 'policy',
  certificatesSharingPolicy: 0,
  operatorId: 'operator',
  submission,
  places: [{ ordinal: 0, vehicleId: 'a' }],
  nextOrdinal: 1,
  flags: [],
};
export const canonical = {
  id: 'a',
  revision: '1',
  identifiers:
    vehicle === undefined ? [] : presentIdentifiers(vehicle).map((one) => ({ ...one, rank: 0 })),
  certificates: [],
};
export const HEAD = {
  transmissionReference: 'PPAI-TX-2026-000000009',
  externalTransactionId: 'EXT-000009',
  policyNumber: 'POL-1',
  cocNumber: 'COC-1',
  receivedAt: new Date('2026-06-15T01:00:00Z'),
} as const;
export const now = new Date('2026-06-15T01:00:01Z');

export function amend(
  body: Partial<AmendmentBody>,
  record: Partial<CurrentRecord> = {},
  facts: Partial<Facts> = {},
) {
  const current = { ...RECORD, ...record };
  const whole = { externalTransactionId: 'EXT-000009', reason: 'Asked', changes: {}, ...body };
  const amended = applyChanges(current.submission, current.places, whole.changes);
  let ids = 0;
  return decideAmendment(
    { ...HEAD, kind: 'AMEND' },
    current,
    whole,
    amended,
    makeFacts({ vehicles: [canonical], ...facts }),
    {
      transmissionId: 'transmission',
      now,
      newId: () => {
        ids += 1;
        return `id ${ids}`;
      },
    },
    [],
  );
}

/** A record of BRAVO, for which MANAGEMENT has had authority through a pool since 2025. */
export const OF_BRAVO = { submission: { ...submission, issuingInsurerCode: BRAVO.code } };
export const BY_MANAGEMENT = {
  submitter: MANAGEMENT,
  issuingInsurer: BRAVO,
  memberships: [makeMembership()],
};
export const renamed = { changes: { operator: { name: 'Pedro' } } };
export const codesOf = ({ verdict }: ReturnType<typeof amend>) =>
  verdict.findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);

export function cancel(
  body: Partial<CancellationBody>,
  record: Partial<CurrentRecord> = {},
  facts: Partial<Facts> = {},
) {
  return decideCancellation(
    { ...HEAD, kind: 'CANCEL' },
    { ...RECORD, ...record },
    {
      externalTransactionId: 'EXT-000009',
      policyNumber: 'POL-1',
      cocNumber: 'COC-1',
      cancellationEffectiveDate: '2026-06-15',
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'Sold',
      ...body,
    },
    makeFacts(facts),
    { transmissionId: 'transmission', now },
    [],
  );
}
