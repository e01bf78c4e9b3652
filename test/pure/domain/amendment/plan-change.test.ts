import type { AmendmentBody } from '../../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../../shared/contract/machine/cancellation.ts';
import { applyChanges } from '../../../../shared/domain/amendment/apply-changes.ts';
import { decideAmendment } from '../../../../shared/domain/amendment/plan-amendment.ts';
import { decideCancellation } from '../../../../shared/domain/amendment/plan-cancellation.ts';
import type { CurrentRecord, RecordFlagState } from '../../../../shared/domain/amendment/record.ts';
import { presentIdentifiers } from '../../../../shared/domain/identifiers.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import {
  BRAVO,
  MANAGEMENT,
  makeCanonical,
  makeFacts,
  makeMembership,
  makePolicy,
  makeReference,
  makeSubmission,
  POOL,
} from '../facts-and-submissions.ts';

const submission = makeSubmission({
  policy: { policyNumber: 'POL-1', issuanceDate: '2026-06-01' },
  certificate: { cocNumber: 'COC-1' },
  vehicles: [makePlainVehicle({ plateNumber: 'AAA111' })],
});
const [vehicle] = submission.vehicles;
const RECORD: CurrentRecord = {
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
const canonical = {
  id: 'a',
  revision: '1',
  identifiers:
    vehicle === undefined ? [] : presentIdentifiers(vehicle).map((one) => ({ ...one, rank: 0 })),
  certificates: [],
};
const HEAD = {
  transmissionReference: 'PPAI-TX-2026-000000009',
  externalTransactionId: 'EXT-000009',
  policyNumber: 'POL-1',
  cocNumber: 'COC-1',
  receivedAt: new Date('2026-06-15T01:00:00Z'),
} as const;
const now = new Date('2026-06-15T01:00:01Z');

function amend(
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

/** A record of BRAVO, and MANAGEMENT, which has authority for it by a pool since 2025. */
const OF_BRAVO = { submission: { ...submission, issuingInsurerCode: BRAVO.code } };
const BY_MANAGEMENT = {
  submitter: MANAGEMENT,
  issuingInsurer: BRAVO,
  memberships: [makeMembership()],
};
const renamed = { changes: { operator: { name: 'Pedro' } } };
const codesOf = ({ verdict }: ReturnType<typeof amend>) =>
  verdict.findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);

describe('an amendment (D14)', () => {
  it('makes the next version, with a diff and the snapshot of what it is now', () => {
    const { acknowledgment, changes, writes } = amend(renamed);
    expect(acknowledgment).toMatchObject({
      status: 'ACCEPTED',
      kind: 'AMEND',
      version: 3,
      registryReference: 'PPAI-2026-000000007',
    });
    expect(changes?.amendment).toMatchObject({
      fromVersion: 2,
      toVersion: 3,
      diff: [{ path: 'operator.name', before: 'Maria Santos', after: 'Pedro' }],
    });
    expect(writes.versions).toMatchObject([
      { version: 3, snapshot: { operator: { name: 'Pedro' } } },
    ]);
    expect(writes.certificates).toEqual([]);
  });

  it('keeps a number that no new certificate could have', () => {
    const old = makeSubmission({
      policy: { policyNumber: 'POL\u20131', issuanceDate: '2026-06-01' },
      certificate: { cocNumber: 'COC  \u0410' },
      vehicles: [makePlainVehicle({ plateNumber: 'AAA111' })],
    });
    expect(amend(renamed, { submission: old }).verdict.status).toBe('ACCEPTED');
  });

  it('that changes nothing is NO_CHANGES', () => {
    const outcome = amend({ changes: { operator: { name: 'Maria Santos' } } });
    expect(outcome.verdict.errorCode).toBe('VALIDATION_FAILED');
    expect(codesOf(outcome)).toEqual(['NO_CHANGES']);
    expect(outcome.changes).toBeNull();
  });

  it('of an identity field is IMMUTABLE_FIELD before anything else', () => {
    const outcome = amend({
      changes: { policy: { policyNumber: 'POL-2' }, operator: { name: null } },
    });
    expect(outcome.verdict.errorCode).toBe('IMMUTABLE_FIELD');
    expect(codesOf(outcome)).toEqual(['REQUIRED', 'IMMUTABLE_FIELD']);
  });

  it('of another version than expected is a CONFLICT', () => {
    expect(amend({ ...renamed, expectedVersion: 1 }).verdict.errorCode).toBe('CONFLICT');
    expect(amend({ ...renamed, expectedVersion: 2 }).verdict.errorCode).toBeNull();
  });

  it('of a cancelled record is RECORD_CANCELLED', () => {
    expect(amend(renamed, { lifecycle: 'CANCELLED' }).verdict.errorCode).toBe('RECORD_CANCELLED');
  });

  it('of policy fields that other certificates share has one finding a field', () => {
    const changes = { poolCode: null, policy: { remarks: 'new', premiumAmount: 1 } };
    const { verdict } = amend({ changes }, { certificatesSharingPolicy: 1 });
    expect(verdict.errorCode).toBe('VALIDATION_FAILED');
    expect(
      verdict.findings
        .filter(({ code }) => code === 'POLICY_SHARED_BY_OTHER_CERTIFICATES')
        .map(({ field }) => field),
    ).toEqual(['changes.policy.premiumAmount', 'changes.policy.remarks']);
    expect(amend({ changes }).verdict.status).toBe('ACCEPTED');
  });

  it('passes the four levels as a new certificate would', () => {
    const changes = {
      policy: { issuanceDate: '2024-06-01' },
      certificate: { expirationDate: '2026-01-01' },
      operator: { region: null },
    };
    const outcome = amend({ changes }, OF_BRAVO, BY_MANAGEMENT);
    expect(codesOf(outcome)).toEqual([
      'REQUIRED',
      'INVALID_DATE_RANGE',
      'NOT_AUTHORIZED_TO_TRANSMIT',
    ]);
  });

  it.each<[string, Partial<AmendmentBody>, Partial<CurrentRecord>]>([
    ['changes nothing', { changes: { operator: { name: 'Maria Santos' } } }, {}],
    ['changes an identity field', { changes: { policy: { policyNumber: 'POL-2' } } }, {}],
    ['would give itself authority', { changes: { policy: { issuanceDate: '2026-05-01' } } }, {}],
    ['changes the pool', { changes: { poolCode: POOL.code } }, {}],
    ['names no vehicle', { changes: { vehicles: { remove: [{ plateNumber: 'ZZZ999' }] } } }, {}],
    [
      'shares the policy',
      { changes: { policy: { remarks: 'x' } } },
      { certificatesSharingPolicy: 1 },
    ],
    ['expects another version', { ...renamed, expectedVersion: 9 }, {}],
    ['is of a cancelled record', renamed, { lifecycle: 'CANCELLED' }],
  ])(
    'of who has no authority by the date of the policy tells nothing of the record: one that %s (D28)',
    (_what, body, record) => {
      const policy = makePolicy({ issuanceDate: '2024-06-01' });
      const outcome = amend(body, { ...OF_BRAVO, ...record }, { ...BY_MANAGEMENT, policy });
      expect(outcome.verdict).toMatchObject({
        errorCode: 'VALIDATION_FAILED',
        findings: [{ code: 'NOT_AUTHORIZED_TO_TRANSMIT', field: 'issuingInsurerCode' }],
      });
      expect(outcome.acknowledgment).toMatchObject({
        plateNumbers: [],
        referenceMatches: [],
        warnings: [],
      });
    },
  );

  it('points at what was sent where the policy would lose its transmitter', () => {
    const fieldOf = (changes: AmendmentBody['changes']) =>
      amend({ changes }, OF_BRAVO, BY_MANAGEMENT).verdict.findings.find(
        ({ severity }) => severity === 'ERROR',
      )?.field;
    expect(fieldOf({ policy: { issuanceDate: '2024-06-01' } })).toBe('changes.policy.issuanceDate');
    expect(fieldOf({ poolCode: 'POOL-NOWHERE' })).toBe('changes.poolCode');
  });

  it('keeps a pool that is not active, with a warning, and takes on none (D34, D45)', () => {
    const pool = { ...POOL, status: 'SUSPENDED' as const };
    const facts = { pool, memberships: [makeMembership({ poolStatus: 'SUSPENDED' })] };
    const pooled = { submission: { ...submission, poolCode: POOL.code } };
    const { verdict } = amend(renamed, pooled, facts);
    expect(verdict.status).toBe('ACCEPTED');
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({
        code: 'ORGANIZATION_NOT_ACTIVE',
        severity: 'WARNING',
        field: 'poolCode',
      }),
    );
    const taken = amend({ changes: { poolCode: POOL.code } }, {}, facts);
    expect(taken.verdict.findings).toContainEqual(
      expect.objectContaining({
        code: 'ORGANIZATION_NOT_ACTIVE',
        severity: 'ERROR',
        field: 'changes.poolCode',
      }),
    );
    expect(amend({ changes: { poolCode: null } }, pooled, facts).verdict.status).toBe('ACCEPTED');
  });

  it('leaves the canonical vehicles alone that it says nothing of: later certificates may know them better (D10)', () => {
    expect(amend(renamed).writes.vehicles).toEqual([]);
    const update = (set: object) =>
      amend({ changes: { vehicles: { update: [{ match: { plateNumber: 'AAA111' }, set }] } } });
    expect(update({ plateNumber: 'BBB222' }).writes.vehicles).toMatchObject([
      { id: 'a', isNew: false, isRenamed: true, plateNumber: 'BBB222' },
    ]);
    expect(update({ make: 'Hino' }).writes.vehicles).toMatchObject([
      { id: 'a', isNew: false, isRenamed: false, make: 'Hino' },
    ]);
  });

  it('that leaves a vehicle none of its names removes it and adds another one, which it claims under all its names', () => {
    const [stays] = makeSubmission({
      vehicles: [makePlainVehicle({ plateNumber: 'CCC333' })],
    }).vehicles;
    const second = makeCanonical('b', stays ?? {});
    const withTwo = {
      submission: { ...submission, vehicles: [...submission.vehicles, ...(stays ? [stays] : [])] },
      places: [...RECORD.places, { ordinal: 1, vehicleId: 'b' }],
      nextOrdinal: 2,
    };
    const other = makeCanonical('other', {
      plateNumber: 'BBB222',
      mvFileNumber: '9902',
      engineNumber: 'ENG2',
      chassisNumber: 'CHS2',
    });
    const set = {
      plateNumber: 'BBB222',
      mvFileNumber: '9902',
      engineNumber: 'ENG2',
      chassisNumber: 'CHS2',
    };
    const { acknowledgment, changes, writes } = amend(
      {
        changes: {
          vehicles: {
            update: [{ match: { plateNumber: 'AAA111' }, set }],
            add: [makePlainVehicle({ plateNumber: 'DDD444' })],
          },
        },
      },
      {
        ...withTwo,
        flags: [{ id: 'old', type: 'VEHICLE_MISMATCH', status: 'OPEN', vehicleId: 'a' }],
      },
      { vehicles: [canonical, second, other] },
    );
    expect(changes).toMatchObject({
      removedOrdinals: [0],
      changedVehicles: [{ ordinal: 1, vehicleId: 'b' }],
      resolvedFlagIds: ['old'],
      amendment: {
        diff: [
          { path: expect.stringMatching(/^vehicles\[CHS2\]$/), after: { plateNumber: 'BBB222' } },
          { after: { plateNumber: 'DDD444' } },
          { path: `vehicles[${vehicle?.chassisNumber}]`, before: { plateNumber: 'AAA111' } },
        ],
      },
    });
    expect(writes.certificateVehicles).toMatchObject([
      { ordinal: 2, vehicleId: 'other', addedInVersion: 3 },
      { ordinal: 3, addedInVersion: 3 },
    ]);
    const names = writes.reservations.map(({ value }) => value);
    expect(names.sort()).toEqual(Object.values(set).sort());
    // Vehicles stand in the snapshot in the order of their places.
    const plates = ['CCC333', 'BBB222', 'DDD444'];
    expect(acknowledgment.plateNumbers).toEqual(plates);
    expect(writes.versions[0]?.snapshot.vehicles.map(({ plateNumber }) => plateNumber)).toEqual(
      plates,
    );
  });

  it('is checked for double cover only where it changes the dates or the vehicles', () => {
    // The plate was given to another vehicle since, which is covered on a day of this certificate.
    const other = makeCanonical('other', { plateNumber: 'AAA111', chassisNumber: 'CHS2' });
    const blocker = {
      kind: 'chassisNumber' as const,
      value: 'CHS2',
      certificateId: 'another',
      insurerName: 'Bravo',
      expirationDate: '2027-01-31',
    };
    const facts = { vehicles: [canonical, other], blockers: [blocker] };
    expect(codesOf(amend(renamed, {}, facts))).toEqual([]);
    for (const changes of [
      { certificate: { insurerVerificationReference: 'V-1', expirationDate: '2027-02-01' } },
      {
        vehicles: {
          update: [{ match: { plateNumber: 'AAA111' }, set: { engineNumber: 'ENG9' } }],
        },
      },
    ]) {
      expect(codesOf(amend({ changes }, {}, facts))).toEqual(['VEHICLE_ALREADY_INSURED']);
    }
    const ofOld = { ...blocker, kind: 'plateNumber' as const, value: 'AAA111' };
    const set = { engineNumber: 'ENG9' };
    const update = { vehicles: { update: [{ match: { plateNumber: 'AAA111' }, set }] } };
    const outcome = amend({ changes: update }, {}, { blockers: [ofOld] });
    expect(codesOf(outcome)).toEqual([]);
  });

  describe('and the pending flags of its record (D29)', () => {
    const flag = (id: string, changes: Partial<RecordFlagState> = {}): RecordFlagState => ({
      id,
      status: 'OPEN',
      type: 'VEHICLE_MISMATCH',
      vehicleId: 'a',
      ...changes,
    });
    const flags = [
      flag('open'),
      flag('referred', { status: 'REFERRED_TO_INSURER' }),
      flag('done', { status: 'CLEARED' }),
      flag('of none', { vehicleId: null }),
    ];
    const [registered] = submission.vehicles;
    const inRegion = (region: string) => ({
      submission: { ...submission, vehicles: registered ? [{ ...registered, region }] : [] },
      flags,
    });
    const resolvedBy = (...args: Parameters<typeof amend>) =>
      amend(...args).changes?.resolvedFlagIds;
    const whole = registered && makeReference('1', registered);
    const partial = registered && makeReference('1', { ...registered, plateNumber: 'OTHER1' });
    const referenced = (one: typeof whole) => ({
      referenceVehicles: one === undefined ? [] : [one],
    });

    it('resolves a mismatch that is judged again and absent', () => {
      for (const reference of [whole, partial])
        expect(resolvedBy(renamed, inRegion('NCR'), referenced(reference))).toEqual([
          'open',
          'referred',
        ]);
    });

    it('keeps a mismatch that the rule set merely stopped raising', () => {
      const { ruleSet } = makeFacts();
      const silent = { ruleSet: { ...ruleSet, flagNoMatch: false, flagForReview: false } };
      expect(resolvedBy(renamed, inRegion('NCR'), silent)).toEqual([]);
      const match = { plateNumber: 'AAA111' };
      const changes = { vehicles: { update: [{ match, set: { make: 'Hino' } }] } };
      expect(resolvedBy({ changes }, inRegion('NCR'), silent)).toEqual([]);
    });

    it('keeps a mismatch whose vehicle moved to a region without reference data', () => {
      const match = { plateNumber: 'AAA111' };
      const changes = { vehicles: { update: [{ match, set: { region: 'CAR' } }] } };
      expect(resolvedBy({ changes }, inRegion('NCR'), referenced(whole))).toEqual([]);
      const again = {
        vehicles: { remove: [match], add: [makePlainVehicle({ ...registered?.transmitted })] },
      };
      expect(resolvedBy({ changes: again }, inRegion('NCR'))).toEqual([]);
    });

    it('resolves every flag of a vehicle that leaves the record', () => {
      const changes = {
        vehicles: { remove: [{ plateNumber: 'AAA111' }], add: [makePlainVehicle()] },
      };
      const all = [...flags, flag('old', { type: 'OVERLAPPING_COVERAGE' })];
      expect(resolvedBy({ changes }, { flags: all })).toEqual(['open', 'referred', 'old']);
    });

    it('resolves a conflict of identifiers by the registry alone', () => {
      const conflict = { flags: [flag('conflict', { type: 'IDENTIFIER_CONFLICT' })] };
      const other = makeCanonical('other', { plateNumber: 'AAA111', chassisNumber: 'CHS2' });
      expect(resolvedBy(renamed, conflict, { vehicles: [canonical, other] })).toEqual([]);
      expect(resolvedBy(renamed, conflict)).toEqual(['conflict']);
    });

    it('keeps flags of types that are not raised any more', () => {
      const historical = (['POSSIBLE_DUPLICATE', 'OVERLAPPING_COVERAGE'] as const).map((type) =>
        flag(type, { type }),
      );
      expect(resolvedBy(renamed, { flags: historical })).toEqual([]);
    });

    it('does not take one that was raised again for cleared', () => {
      const again = {
        ...inRegion('NCR'),
        flags: [flag('done', { status: 'CLEARED' }), flag('again')],
      };
      const { verdict, changes, writes } = amend(renamed, again);
      expect(verdict.status).toBe('FLAGGED');
      expect([changes?.resolvedFlagIds, writes.flags]).toEqual([[], []]);
      const cleared = { ...inRegion('NCR'), flags: [flag('done', { status: 'CLEARED' })] };
      expect(amend(renamed, cleared).verdict.status).toBe('ACCEPTED');
    });
  });
});

function cancel(
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

describe('a cancellation (D15)', () => {
  it('keeps the version, frees the vehicles and is acknowledged as CANCELLED', () => {
    const { acknowledgment, changes } = cancel({});
    expect(acknowledgment).toMatchObject({
      status: 'ACCEPTED',
      kind: 'CANCEL',
      coverageStatus: 'CANCELLED',
      version: 2,
    });
    expect(changes).toMatchObject({ held: [], cancellation: { reasonCode: 'OPERATOR_REQUEST' } });
  });

  it.each<[string, Partial<CancellationBody>, string, string]>([
    ['another policy', { policyNumber: 'POL-2' }, 'RECORD_MISMATCH', 'policyNumber'],
    ['another certificate', { cocNumber: 'COC-2' }, 'RECORD_MISMATCH', 'cocNumber'],
    [
      'a later day',
      { cancellationEffectiveDate: '2026-06-16' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'a day before the issuance',
      { cancellationEffectiveDate: '2026-05-31' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'no day',
      { cancellationEffectiveDate: '2026-06-31' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    ['no known reason', { reasonCode: 'BORED' }, 'VALIDATION_FAILED', 'reasonCode'],
  ])('of %s is refused', (_what, body, errorCode, field) => {
    const { verdict, changes } = cancel(body);
    expect(verdict.errorCode).toBe(errorCode);
    expect(verdict.findings.map((finding) => finding.field)).toEqual([field]);
    expect(changes).toBeNull();
  });

  it.each(['2026-06-01', '2026-06-15'])('may begin on %s', (cancellationEffectiveDate) => {
    expect(cancel({ cancellationEffectiveDate }).verdict.errorCode).toBeNull();
  });

  it('of a policy that is issued tomorrow is of today alone (D30)', () => {
    const tomorrow = {
      submission: { ...submission, policy: { ...submission.policy, issuanceDate: '2026-06-16' } },
    };
    const codes = ['2026-06-14', '2026-06-15', '2026-06-16'].map(
      (cancellationEffectiveDate) =>
        cancel({ cancellationEffectiveDate }, tomorrow).verdict.findings[0]?.message,
    );
    const message = 'Must be today, 2026-06-15.';
    expect(codes).toEqual([message, undefined, message]);
  });

  it('of a cancelled record is RECORD_CANCELLED, whatever else is wrong', () => {
    const { verdict } = cancel({ policyNumber: 'POL-2' }, { lifecycle: 'CANCELLED' });
    expect(verdict.errorCode).toBe('RECORD_CANCELLED');
  });

  it('needs the authority to transmit, as of today', () => {
    expect(cancel({}, {}, { submitter: BRAVO }).verdict.findings).toMatchObject([
      { code: 'NOT_AUTHORIZED_TO_TRANSMIT' },
    ]);
  });

  it.each<[string, Partial<CancellationBody>, Partial<CurrentRecord>]>([
    ['names other numbers', { policyNumber: 'POL-2', cocNumber: 'COC-2' }, {}],
    ['names a day before the issuance', { cancellationEffectiveDate: '2020-01-01' }, {}],
    ['is of a cancelled record', {}, { lifecycle: 'CANCELLED' }],
  ])(
    'of who has no authority by the date of the policy tells nothing of the record: one that %s (D28)',
    (_what, body, record) => {
      const policy = makePolicy({ issuanceDate: '2024-06-01' });
      const { verdict, acknowledgment } = cancel(
        body,
        { ...OF_BRAVO, ...record },
        { ...BY_MANAGEMENT, policy },
      );
      expect(verdict.findings.map(({ code }) => code)).toEqual(['NOT_AUTHORIZED_TO_TRANSMIT']);
      expect(acknowledgment.plateNumbers).toEqual([]);
    },
  );
});
