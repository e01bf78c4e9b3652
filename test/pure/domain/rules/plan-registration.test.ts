import { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import {
  asRegistered,
  decideRegistration,
} from '../../../../shared/domain/registration/plan-registration.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { type BodyChanges, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { makeCanonical, makeFacts, makeSubmission } from '../facts-and-submissions.ts';

const HEAD = {
  transmissionReference: 'PPAI-TX-2026-000000001',
  externalTransactionId: 'EXT-000001',
  kind: 'CREATE',
  policyNumber: 'POL-1',
  cocNumber: 'COC-1',
  receivedAt: new Date('2026-06-15T01:00:00Z'),
} as const;

function decide(changes: BodyChanges = {}, facts: Partial<Facts> = {}) {
  let ids = 0;
  return decideRegistration(HEAD, makeSubmission(changes), makeFacts(facts), {
    transmissionId: 'transmission',
    sequence: 7,
    registryReference: 'PPAI-2026-000000007',
    now: new Date('2026-06-15T01:00:01Z'),
    newId: () => {
      ids += 1;
      return `id ${ids}`;
    },
  });
}

const SENT = {
  plateNumber: 'NEW123',
  mvFileNumber: 'M1234',
  engineNumber: 'E1234',
  chassisNumber: 'C1234',
};
const registeredPolicy = {
  id: 'policy',
  revision: '7',
  issuanceDate: '2026-01-01',
  coverageType: 'PPAI_STANDARD',
  premiumAmount: '99.95',
  officialReceiptNumber: 'OR-1',
  remarks: null,
  poolId: 'pool',
  poolCode: 'POOL-NORTH',
};

describe('a registration', () => {
  it('is acknowledged with every member, at version 1', () => {
    const { acknowledgment, certificateId } = decide();
    expect(Acknowledgment.parse(acknowledgment)).toMatchObject({
      status: 'ACCEPTED',
      registryReference: 'PPAI-2026-000000007',
      transactionReference: 'PPAI-2026-000000007',
      version: 1,
      coverageStatus: 'ACTIVE',
      replayed: false,
      acknowledgmentUrl: null,
    });
    expect(certificateId).not.toBeNull();
  });

  it('that is rejected writes nothing and is acknowledged without a record', () => {
    const { acknowledgment, certificateId, writes } = decide({ operator: { name: null } });
    expect(Acknowledgment.parse(acknowledgment)).toMatchObject({
      status: 'REJECTED',
      registryReference: null,
      transactionReference: null,
      version: null,
      coverageStatus: null,
    });
    expect(certificateId).toBeNull();
    const { readSet, ...rows } = writes;
    for (const list of [...Object.values(rows), ...Object.values(readSet)])
      expect(list).toEqual([]);
  });

  it.each([
    ['2026-06-15', '2027-06-14', 'ACTIVE'],
    ['2026-07-01', '2027-06-30', 'UPCOMING'],
    ['2026-06-01', '2026-07-15', 'EXPIRING'],
    ['2025-06-15', '2026-06-14', 'EXPIRED'],
  ])('from %s to %s is acknowledged as %s', (effectiveDate, expirationDate, status) => {
    const { acknowledgment } = decide({ certificate: { effectiveDate, expirationDate } });
    expect(acknowledgment.coverageStatus).toBe(status);
  });

  it('separates errors and warnings', () => {
    const { acknowledgment } = decide({ operator: { name: null }, vehicles: [makeVehicle()] });
    expect(acknowledgment.errors.map(({ code }) => code)).toEqual(['REQUIRED']);
    expect(acknowledgment.warnings.map(({ code }) => code)).toEqual(['REFERENCE_NO_MATCH']);
  });
});

describe('registering a vehicle (D10)', () => {
  it('that is new creates it with four identifiers that the certificate covers', () => {
    const { writes, certificateId } = decide({ vehicles: [makePlainVehicle(SENT)] });
    const cover = { certificateId, from: '2026-06-15', to: '2027-06-14' };
    expect(writes.vehicles).toMatchObject([{ isNew: true, ...SENT }]);
    const { id: vehicleId } = writes.vehicles[0] ?? {};
    expect(writes.identifiers).toHaveLength(4);
    for (const [kind, value] of Object.entries(SENT)) {
      expect(writes.identifiers).toContainEqual({ kind, value, vehicleId, rank: 0, cover });
    }
    expect(writes.reservations).toEqual([]);
  });

  it('that is known updates it, and reserves the replaced identifier, too', () => {
    const known = makeCanonical('known', { ...SENT, plateNumber: 'OLD123' });
    const { writes, certificateId } = decide(
      { vehicles: [makePlainVehicle(SENT)] },
      { vehicles: [known] },
    );
    const cover = { certificateId, from: '2026-06-15', to: '2027-06-14' };
    expect(writes.vehicles).toMatchObject([{ id: 'known', isNew: false, plateNumber: 'NEW123' }]);
    expect(writes.identifiers).toEqual([
      { kind: 'plateNumber', value: 'NEW123', vehicleId: 'known', rank: 0, cover },
    ]);
    expect(writes.reservations.map(({ value }) => value).sort()).toEqual([
      'C1234',
      'E1234',
      'M1234',
      'OLD123',
    ]);
    for (const one of writes.reservations) expect(one).toMatchObject({ cover, required: true });
  });

  it('reserves the new identifier also for its older certificates, where it is free', () => {
    const known = makeCanonical(
      'known',
      { ...SENT, plateNumber: 'OLD123' },
      {
        certificates: [
          {
            certificateId: 'older',
            revision: '4',
            period: { from: '2025-06-15', to: '2026-06-14' },
          },
        ],
      },
    );
    const { writes } = decide({ vehicles: [makePlainVehicle(SENT)] }, { vehicles: [known] });
    expect(writes.readSet).toEqual({
      certificates: [{ id: 'older', revision: '4' }],
      policies: [],
      vehicles: [{ id: 'known', revision: '1' }],
      conflictingVehicleIds: [],
      mustStayFree: [],
    });
    expect(writes.reservations.filter(({ required }) => !required)).toEqual([
      {
        kind: 'plateNumber',
        value: 'NEW123',
        cover: { certificateId: 'older', from: '2025-06-15', to: '2026-06-14' },
        required: false,
      },
    ]);
  });

  it('that conflicts with other vehicles reads them and requires their identifiers to stay free', () => {
    const owner = makeCanonical('by chassis', { chassisNumber: 'C1234' });
    const other = makeCanonical('by plate', { plateNumber: 'NEW123', mvFileNumber: 'M9999' });
    const { writes, certificateId } = decide(
      { vehicles: [makePlainVehicle(SENT)] },
      { vehicles: [owner, other] },
    );
    expect(writes.vehicles.map(({ id }) => id)).toEqual(['by chassis']);
    expect(writes.readSet.vehicles.map(({ id }) => id)).toEqual(['by chassis', 'by plate']);
    expect(writes.readSet.conflictingVehicleIds).toEqual(['by plate']);
    const cover = { certificateId, from: '2026-06-15', to: '2027-06-14' };
    expect(writes.readSet.mustStayFree).toEqual(
      other.identifiers.map(({ kind, value }) => ({ kind, value, cover })),
    );
  });

  it('whose identifier another vehicle owns becomes its next owner', () => {
    const vehicles = [
      makeCanonical('by chassis', { chassisNumber: 'C1234' }),
      makeCanonical('by plate', { plateNumber: 'NEW123' }),
    ];
    const { writes } = decide({ vehicles: [makePlainVehicle(SENT)] }, { vehicles });
    expect(writes.identifiers).toContainEqual({
      kind: 'plateNumber',
      value: 'NEW123',
      vehicleId: 'by chassis',
      rank: 1,
      cover: null,
    });
    expect(writes.reservations.map(({ value }) => value)).toContain('NEW123');
  });

  it('stores the sent spelling in addition to the registered form (D7)', () => {
    const { writes } = decide({
      vehicles: [makePlainVehicle({ ...SENT, plateNumber: 'new-123' })],
    });
    expect(writes.certificateVehicles).toMatchObject([
      {
        ordinal: 0,
        addedInVersion: 1,
        registered: { plateNumber: 'NEW123' },
        transmitted: { plateNumber: 'new-123' },
      },
    ]);
  });

  it('stores no second copy of identifiers that were sent in registered form (D7)', () => {
    const { writes } = decide({ vehicles: [makePlainVehicle(SENT)] });
    expect(writes.certificateVehicles).toMatchObject([{ registered: SENT, transmitted: null }]);
  });

  it('stores the present members of a vehicle as JSON', () => {
    const absent = { make: null, model: null, yearModel: null, caseNumber: null, route: null };
    const { writes } = decide({ vehicles: [makePlainVehicle({ ...SENT, ...absent })] });
    const [kept] = writes.certificateVehicles;
    expect(JSON.stringify(kept?.registered)).not.toContain('null');
    expect(Object.keys(JSON.parse(JSON.stringify(kept?.registered)))).toEqual([
      ...Object.keys(SENT),
      'vehicleType',
      'denomination',
      'passengerCapacity',
      'region',
    ]);
  });
});

describe('registering a policy', () => {
  it('that is new writes it once', () => {
    expect(decide().writes.policies).toHaveLength(1);
  });

  it('that is registered joins it without changing it', () => {
    const { writes } = decide({}, { policy: registeredPolicy });
    expect(writes.policies).toEqual([]);
    expect(writes.readSet.policies).toEqual([{ id: 'policy', revision: '7' }]);
    expect(writes.certificates).toMatchObject([{ policyId: 'policy' }]);
    expect(writes.versions[0]?.snapshot).toMatchObject({
      poolCode: 'POOL-NORTH',
      policy: { issuanceDate: '2026-01-01', premiumAmount: 99.95, officialReceiptNumber: 'OR-1' },
    });
  });

  it('keeps the sent number', () => {
    const submission = makeSubmission();
    expect(asRegistered(submission, registeredPolicy).policy.policyNumber).toBe(
      submission.policy.policyNumber,
    );
    expect(asRegistered(submission, null)).toBe(submission);
  });
});
