import fc from 'fast-check';
import { COVERAGE_STATUSES, IDENTIFIER_KINDS } from '../../shared/contract/enums.ts';
import { FAULT_NAMES } from './registry/faults.ts';
import {
  type Actor,
  type AmendSpec,
  type CancelSpec,
  type DaySpec,
  NAMES,
  type PeriodSpec,
  type RequestSpec,
  type TransmitSpec,
  type VehicleSpec,
} from './request-specs.ts';
import { CLIENTS, type ClientName, POOL } from './rules/organizations.ts';

const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, times = 4): fc.Arbitrary<T> =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: rare });
const seldom = <T>(arbitrary: fc.Arbitrary<T>, times = 4): fc.Arbitrary<T | undefined> =>
  mostly<T | undefined>(fc.constant(undefined), arbitrary, times);

const client = fc.constantFrom(...(Object.keys(CLIENTS) as ClientName[]));
const actor: fc.Arbitrary<Actor> = mostly<Actor>(
  fc.constantFrom('insurer', 'insurer', 'transmitter'),
  client,
  3,
);
const pick = fc.nat(7);
const region = mostly(fc.constant('CAR' as const), fc.constant('NCR' as const));
const kind = fc.constantFrom(...IDENTIFIER_KINDS);
const name = fc.nat(NAMES - 1);
const names = mostly(
  fc.dictionary(kind, name, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
  // Changes all identifiers, so that the entry becomes another vehicle.
  name.map((one) => Object.fromEntries(IDENTIFIER_KINDS.map((each) => [each, one]))),
  6,
);

const vehicle: fc.Arbitrary<VehicleSpec> = fc.record({
  base: fc.nat(3),
  renamed: mostly(fc.constant({}), names, 2),
  spelling: fc.nat(2),
  region,
});

/** Mostly one or two vehicles; sometimes three, or two with the same identifier. */
const vehicles = mostly(
  fc.uniqueArray(vehicle, { minLength: 1, maxLength: 2, selector: ({ base }) => base }),
  fc.array(vehicle, { minLength: 1, maxLength: 3 }),
  9,
);

const days = fc.constantFrom(1, 9, 29, 30, 31, 60, 365, 400);
const period: fc.Arbitrary<PeriodSpec> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ from: fc.constantFrom(-60, -31, -30, -1, 0, 1, 29, 30, 31, 60), days }),
  },
  { weight: 2, arbitrary: fc.record({ after: pick, gap: fc.constantFrom(0, 1, 2), days }) },
);
const issued: fc.Arbitrary<DaySpec> = mostly<DaySpec>(
  fc.constantFrom(0, -1, 1, -10),
  fc.constantFrom(
    2,
    '2025-12-31',
    '2026-01-01',
    '2024-12-31',
    '2025-01-01',
    '1899-12-31',
    '9999-12-31',
  ),
);
const remarks = fc.constantFrom('Paid', 'Paid in full', null);

/** A client and an insurer, mostly with authority. */
const sender = mostly<Pick<TransmitSpec, 'client' | 'insurer'>>(
  fc.constantFrom<Pick<TransmitSpec, 'client' | 'insurer'>[]>(
    { client: 'alpha', insurer: 'INS-ALPHA' },
    { client: 'bravo', insurer: 'INS-BRAVO' },
    { client: 'charlie', insurer: 'INS-CHARLIE' },
    { client: 'alpha', insurer: 'INS-BRAVO' },
    { client: 'mgt-one', insurer: 'INS-ALPHA' },
    { client: 'mgt-one', insurer: 'INS-BRAVO' },
  ),
  fc.constantFrom<Pick<TransmitSpec, 'client' | 'insurer'>[]>(
    { client: 'mgt-one', insurer: 'INS-CHARLIE' },
    { client: 'bravo', insurer: 'INS-ALPHA' },
    { client: 'charlie', insurer: 'INS-BRAVO' },
    { client: 'alpha', insurer: 'INS-NOBODY' },
    { client: 'alpha', insurer: 'INS-DORMANT' },
    { client: 'mgt-one', insurer: 'MGT-ONE' },
  ),
  7,
);

/** A certificate, with or without faults. */
export const transmit: fc.Arbitrary<TransmitSpec> = fc
  .record({
    do: fc.constant('transmit' as const),
    sender,
    pool: mostly<string | null>(
      fc.constantFrom(null, null, POOL),
      fc.constantFrom(POOL, 'POOL-NOWHERE'),
      9,
    ),
    policy: fc.constantFrom(0, 0, 1, 2),
    coc: seldom(fc.nat(1), 2),
    twin: seldom(fc.record({ record: pick, isSame: fc.boolean() }), 10),
    issued,
    period,
    vehicles,
    remarks,
    fault: seldom(fc.constantFrom(...FAULT_NAMES), 9),
  })
  .map(({ sender: { client: by, insurer }, ...spec }) => ({ ...spec, client: by, insurer }));

/** For an insurer that was a member of the pool on the issuance date and no longer is. */
const formerMember: fc.Arbitrary<TransmitSpec> = transmit.map((spec) => ({
  ...spec,
  client: 'mgt-one',
  insurer: 'INS-CHARLIE',
  policy: 0,
  issued: '2025-12-31',
}));

const change = fc.constantFrom(-400, -31, -30, -1, 1, 30, 31, 365);

const amend: fc.Arbitrary<AmendSpec> = fc.record({
  do: fc.constant('amend' as const),
  client: actor,
  record: pick,
  start: seldom(change, 5),
  end: seldom(change),
  behind: seldom(pick, 6),
  policy: mostly<AmendSpec['policy']>(
    fc.constant({}),
    fc.record(
      {
        remarks,
        premiumAmount: fc.constantFrom(null, 900, 1250.5, -1),
        officialReceiptNumber: fc.constantFrom(null, 'OR-1'),
        issued,
        coverageType: fc.constantFrom('PPAI_STANDARD', 'PPAI_STANDARD', 'GOLD'),
      },
      { requiredKeys: [] },
    ),
    2,
  ),
  pool: seldom(fc.constantFrom(null, POOL)),
  operator: mostly<AmendSpec['operator']>(
    fc.constant({}),
    fc.constantFrom(
      { name: 'Jose Cruz' },
      { contactPhone: null },
      { region: 'CAR' },
      { name: null },
      { contactEmail: 'nobody' },
    ),
    6,
  ),
  verification: seldom(fc.constantFrom('V-1', null)),
  add: seldom(vehicle),
  remove: seldom(pick, 5),
  update: seldom(
    fc.record({
      vehicle: pick,
      to: mostly(names, fc.constant({})),
      region: seldom(region, 3),
    }),
    3,
  ),
  identity: seldom(fc.constantFrom('same', 'insurer', 'policy', 'coc'), 8),
  expected: seldom(fc.constantFrom('right', 'right', 'wrong'), 5),
  malformed: seldom(fc.constant(true), 40).map((one) => one ?? false),
});

/** Changes only dates and vehicles. */
const amendCover: fc.Arbitrary<AmendSpec> = amend.map((spec) => ({
  ...spec,
  policy: {},
  pool: undefined,
  operator: {},
  identity: undefined,
  expected: undefined,
  malformed: false,
}));

const cancel: fc.Arbitrary<CancelSpec> = fc.record({
  do: fc.constant('cancel' as const),
  client: actor,
  record: pick,
  asOf: mostly<DaySpec>(fc.constant(0), fc.constantFrom(-1, 1, -10, '2020-01-01', '2026-02-30')),
  reasonCode: mostly(
    fc.constant('OPERATOR_REQUEST' as const),
    fc.constant('ISSUED_IN_ERROR' as const),
  ),
  fault: seldom(fc.constantFrom('policyNumber', 'cocNumber', 'reasonCode'), 6),
});

const writes: fc.WeightedArbitrary<RequestSpec>[] = [
  { weight: 9, arbitrary: transmit },
  { weight: 2, arbitrary: formerMember },
  { weight: 4, arbitrary: amend },
  { weight: 3, arbitrary: amendCover },
  { weight: 2, arbitrary: cancel },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      request: pick,
      changed: mostly(fc.constant(false), fc.constant(true), 2),
    }),
  },
];

const recordReads: fc.WeightedArbitrary<RequestSpec>[] = [
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), client: actor, record: pick }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('coverage' as const),
      client,
      kind,
      value: name,
      asOf: seldom(fc.constantFrom<DaySpec[]>(-30, -11, -2, -1, 1, 30, 31, 365), 1),
    }),
  },
];

/** A single transmission of any kind. */
export const oneSubmission: fc.Arbitrary<RequestSpec> = fc.oneof(...writes);

/** A single request. */
export const oneRequest: fc.Arbitrary<RequestSpec> = fc.oneof(
  ...writes,
  ...recordReads,
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lookup' as const),
      client,
      request: pick,
      by: fc.constantFrom('reference', 'externalTransactionId'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('search' as const),
      client,
      identifiers: names,
      policy: seldom(fc.nat(2)),
      status: seldom(fc.constantFrom(...COVERAGE_STATUSES), 2),
    }),
  },
);

/** Concurrent requests of several organizations. A record and a coverage check are each read at one moment. */
export const concurrentRequests: fc.Arbitrary<readonly RequestSpec[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.oneof(...writes, ...recordReads), { minLength: 2, maxLength: 4 }),
  },
  // Several requests for the same record, or the same request several times.
  {
    weight: 2,
    arbitrary: fc
      .tuple(pick, fc.array(fc.oneof(amend, cancel), { minLength: 2, maxLength: 4 }))
      .map(([record, specs]) => specs.map((spec) => ({ ...spec, record }))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.oneof(transmit, amend, cancel), fc.integer({ min: 1, max: 2 }))
      .map(([spec, times]): RequestSpec[] => [
        spec,
        ...Array.from({ length: times }, () => ({ do: 'again' as const })),
      ]),
  },
);
