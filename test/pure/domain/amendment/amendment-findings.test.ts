import type { Changes } from '../../../../shared/contract/machine/amendment.ts';
import type { VehicleBody } from '../../../../shared/contract/machine/transmission.ts';
import { applyChanges } from '../../../../shared/domain/amendment/apply-changes.ts';
import { decideAmendment } from '../../../../shared/domain/amendment/plan-amendment.ts';
import type { CurrentRecord } from '../../../../shared/domain/amendment/record.ts';
import { presentIdentifiers } from '../../../../shared/domain/identifiers.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { makeCanonical, makeFacts, makeSubmission } from '../facts-and-submissions.ts';

const bodies = [
  makePlainVehicle({ plateNumber: 'AAA111' }),
  makePlainVehicle({ plateNumber: 'BBB222' }),
];
const submission = makeSubmission({ vehicles: bodies });
const canonicals = submission.vehicles.map((vehicle, at) =>
  makeCanonical(
    `vehicle ${at}`,
    Object.fromEntries(presentIdentifiers(vehicle).map(({ kind, value }) => [kind, value])),
  ),
);
const record: CurrentRecord = {
  certificateId: 'certificate',
  registryReference: 'PPAI-2026-000000007',
  lifecycle: 'CURRENT',
  version: 1,
  policyId: 'policy',
  certificatesSharingPolicy: 0,
  operatorId: 'operator',
  submission,
  places: canonicals.map(({ id: vehicleId }, ordinal) => ({ ordinal, vehicleId })),
  nextOrdinal: 2,
  flags: [],
};

function findings(
  changes: Changes,
  facts: Partial<Facts> = {},
  state: Partial<CurrentRecord> = {},
) {
  const current = { ...record, ...state };
  const body = { externalTransactionId: 'EXT-000009', reason: 'Asked', changes };
  let ids = 0;
  const { verdict } = decideAmendment(
    {
      transmissionReference: 'PPAI-TX-2026-000000009',
      externalTransactionId: 'EXT-000009',
      policyNumber: 'POL-1',
      cocNumber: 'COC-1',
      receivedAt: new Date('2026-06-15T01:00:00Z'),
      kind: 'AMEND',
    },
    current,
    body,
    applyChanges(current.submission, current.places, changes),
    makeFacts({ vehicles: canonicals, ...facts }),
    {
      transmissionId: 'transmission',
      now: new Date('2026-06-15T01:00:01Z'),
      newId: () => `id ${ids++}`,
    },
    [],
  );
  return verdict.findings.filter(({ code }) => code !== 'REFERENCE_DATA_UNAVAILABLE');
}

const fieldsOf = (...args: Parameters<typeof findings>) =>
  findings(...args).map(({ code, field }) => `${code} ${field}`);
const update = (plateNumber: string, set: VehicleBody): Changes => ({
  vehicles: { update: [{ match: { plateNumber }, set }] },
});

describe('the findings of an amendment point to the sent member', () => {
  it.each<[string, Changes]>([
    ['REQUIRED changes.operator.name', { operator: { name: null } }],
    ['REQUIRED changes.policy.issuanceDate', { policy: { issuanceDate: null } }],
    ['INVALID_FORMAT changes.operator.contactEmail', { operator: { contactEmail: 'nobody' } }],
    ['UNSUPPORTED_COVERAGE_TYPE changes.policy.coverageType', { policy: { coverageType: 'X' } }],
    [
      'INVALID_DATE_RANGE changes.certificate.expirationDate',
      { certificate: { expirationDate: '2026-01-01' } },
    ],
    [
      'INVALID_DATE_RANGE changes.certificate.effectiveDate',
      { certificate: { effectiveDate: '2027-06-14' } },
    ],
    [
      'COVERAGE_TOO_LONG changes.certificate.effectiveDate',
      { certificate: { effectiveDate: '2025-06-14' } },
    ],
    [
      'INVALID_FORMAT changes.vehicles.add[1].passengerCapacity',
      { vehicles: { add: [makePlainVehicle(), makePlainVehicle({ passengerCapacity: 0 })] } },
    ],
    [
      'REQUIRED changes.vehicles.add[0].chassisNumber',
      { vehicles: { add: [makePlainVehicle({ chassisNumber: null })] } },
    ],
    [
      'INVALID_FORMAT changes.vehicles.update[1].set.plateNumber',
      {
        vehicles: {
          update: [
            { match: { plateNumber: 'BBB222' }, set: { make: 'Hino' } },
            { match: { plateNumber: 'AAA111' }, set: { plateNumber: '???' } },
          ],
        },
      },
    ],
    [
      'REQUIRED changes.vehicles.remove',
      { vehicles: { remove: [{ plateNumber: 'AAA111' }, { plateNumber: 'BBB222' }] } },
    ],
    ['POOL_MEMBERSHIP_NOT_FOUND changes.poolCode', { poolCode: 'POOL-NOWHERE' }],
  ])('%s', (expected, changes) => {
    expect(fieldsOf(changes)).toEqual([expected]);
  });

  it('also if two vehicles have one identifier: to the sent one', () => {
    const code = 'DUPLICATE_IDENTIFIER_IN_PAYLOAD';
    // AAA111 comes before BBB222 on the record, so without this rule the finding would name the later one.
    expect(findings(update('AAA111', { plateNumber: 'BBB222' }))).toMatchObject([
      {
        code,
        field: 'changes.vehicles.update[0].set.plateNumber',
        message: 'Another vehicle of the record has this plateNumber.',
      },
    ]);
    const add = [
      makePlainVehicle({ plateNumber: 'CCC333' }),
      makePlainVehicle({ plateNumber: 'CCC333' }),
    ];
    expect(findings({ vehicles: { add } })).toMatchObject([
      {
        code,
        field: 'changes.vehicles.add[1].plateNumber',
        message: 'Already given at changes.vehicles.add[0].plateNumber.',
      },
    ]);
  });

  it('also at level 4', () => {
    const found = fieldsOf({ vehicles: { add: [makeVehicle()] } });
    expect(found).toEqual(['REFERENCE_NO_MATCH changes.vehicles.add[0]']);
    expect(fieldsOf(update('BBB222', { region: 'NCR' }))).toEqual([
      'REFERENCE_NO_MATCH changes.vehicles.update[0].set',
    ]);
  });

  it('also if another certificate covers the vehicle; an unchanged vehicle is named by its index', () => {
    const blocker = (value: string) => ({
      kind: 'engineNumber' as const,
      value,
      certificateId: 'another',
      insurerName: 'Bravo',
      expirationDate: '2026-12-31',
    });
    const taken = makePlainVehicle();
    const code = 'VEHICLE_ALREADY_INSURED';
    const blockers = [blocker(taken.engineNumber ?? '')];
    expect(fieldsOf({ vehicles: { add: [taken] } }, { blockers })).toEqual([
      `${code} changes.vehicles.add[0].plateNumber`,
    ]);
    const renamed = findings(update('BBB222', { engineNumber: taken.engineNumber }), { blockers });
    expect(renamed).toMatchObject([
      {
        code,
        field: 'changes.vehicles.update[0].set.engineNumber',
        message: `Already covered by Bravo until 2026-12-31. Matched by engineNumber ${taken.engineNumber}.`,
      },
    ]);
    const own = [blocker(bodies[1]?.engineNumber ?? '')];
    const longer = { certificate: { expirationDate: '2027-06-20' } };
    expect(fieldsOf(longer, { blockers: own })).toEqual([`${code} vehicles[1].plateNumber`]);
  });
});

describe('a message about an amendment suggests only actions that can succeed', () => {
  const messageOf = (...args: Parameters<typeof findings>) => findings(...args)[0]?.message;

  it('about too many vehicles: it does not suggest another amendment', () => {
    const { ruleSet } = makeFacts();
    const few = { ruleSet: { ...ruleSet, maxVehiclesPerCertificate: 2 } };
    expect(messageOf({ vehicles: { add: [makePlainVehicle()] } }, few)).toBe(
      'The certificate would have 3 vehicles; at most 2 are allowed. Transmit the others under another certificate number.',
    );
  });

  it('about a shared policy: it names the alternative', () => {
    const message = messageOf({ policy: { remarks: 'x' } }, {}, { certificatesSharingPolicy: 2 });
    expect(message).toContain('2 more');
    expect(message).toContain('Leave this out, or cancel the record');
  });

  it('about a cancelled record: it suggests another certificate number', () => {
    expect(messageOf({ policy: { remarks: 'x' } }, {}, { lifecycle: 'CANCELLED' })).toContain(
      'a new transmission with another certificate number',
    );
  });

  it('about a vehicle that is removed twice: it says so, and not that the record lacks it', () => {
    const remove = [{ plateNumber: 'AAA111' }, { chassisNumber: bodies[0]?.chassisNumber ?? '' }];
    expect(findings({ vehicles: { remove } })).toMatchObject([
      {
        field: 'changes.vehicles.remove[1]',
        message: 'This vehicle is removed by an earlier element.',
      },
    ]);
  });
});
