import { Acknowledgment, DISCLAIMER } from '../../../shared/contract/machine/acknowledgment.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import {
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
} from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const count = async (table: string): Promise<number> => {
  const [row] = await stack.api.context.db.$queryRawUnsafe<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return row?.n ?? -1;
};
const REGISTRY = ['policies', 'certificates', 'vehicles', 'coverage_claims', 'flags'] as const;

describe('a new transmission', () => {
  it('that passes all levels without a flag is ACCEPTED: 201, version 1, ACTIVE', async () => {
    const body = makeBody({ vehicles: [makeReferenceVehicle(1)] });
    const { status, acknowledgment } = await stack.transmit('alpha', body);
    expect(status).toBe(201);
    expect(Acknowledgment.parse(acknowledgment)).toEqual({
      status: 'ACCEPTED',
      transmissionReference: expect.stringMatching(/^PPAI-TX-\d{4}-\d{9,}$/),
      transactionReference: acknowledgment.registryReference,
      registryReference: expect.stringMatching(/^PPAI-\d{4}-\d{9,}$/),
      externalTransactionId: body.externalTransactionId,
      kind: 'CREATE',
      policyNumber: body.policy.policyNumber,
      certificateOfCover: body.certificate.cocNumber,
      plateNumber: 'NCR1001',
      plateNumbers: ['NCR1001'],
      coverageStatus: 'ACTIVE',
      version: 1,
      receivedAt: expect.any(String),
      replayed: false,
      warnings: [
        {
          level: 4,
          severity: 'INFO',
          code: 'REFERENCE_MATCHED',
          field: 'vehicles[0]',
          message: expect.any(String),
        },
      ],
      errors: [],
      flags: [],
      referenceMatches: [{ plateNumber: 'NCR1001', result: 'MATCHED' }],
      acknowledgmentUrl: null,
      disclaimer: DISCLAIMER,
    });
  });

  it('that raises a flag is FLAGGED: 201, and its record is written all the same', async () => {
    const body = makeBody({ vehicles: [makeVehicle()] });
    const { status, acknowledgment } = await stack.transmit('alpha', body);
    expect(status).toBe(201);
    expect(acknowledgment).toMatchObject({
      status: 'FLAGGED',
      version: 1,
      registryReference: expect.stringMatching(/^PPAI-/),
      flags: [
        {
          type: 'VEHICLE_MISMATCH',
          message: expect.any(String),
          relatedRegistryReference: null,
          plateNumber: body.vehicles[0]?.plateNumber,
        },
      ],
    });
    const record = await stack.get('alpha', `/ppai/policies/${acknowledgment.registryReference}`);
    expect(record.envelope.data).toMatchObject({
      flags: [{ type: 'VEHICLE_MISMATCH', status: 'OPEN' }],
    });
  });

  it('that breaks a rule is REJECTED: 422, without a reference, and nothing is registered', async () => {
    const before = await Promise.all(REGISTRY.map(count));
    const body = makeBody({ vehicles: [makeReferenceVehicle(2, { chassisNumber: null })] });
    const { status, errorCode, acknowledgment, findings } = await stack.transmit('alpha', body);
    expect(status).toBe(422);
    expect(errorCode).toBe('VALIDATION_FAILED');
    expect(Acknowledgment.parse(acknowledgment)).toMatchObject({
      status: 'REJECTED',
      registryReference: null,
      transactionReference: null,
      coverageStatus: null,
      version: null,
      plateNumber: 'NCR1002',
      replayed: false,
    });
    expect(findings).toEqual([...acknowledgment.errors, ...acknowledgment.warnings]);
    expect(await Promise.all(REGISTRY.map(count))).toEqual(before);
  });

  it('has all findings of all levels in the details and in the acknowledgment', async () => {
    const body = makeBody({
      issuingInsurerCode: 'INS-BRAVO',
      policy: { coverageType: 'OTHER', issuanceDate: '2024-06-01' },
      certificate: { expirationDate: addDays(today(), -1) },
      operator: { name: null },
      vehicles: [makeVehicle({ chassisNumber: null }), makePlainVehicle({ plateNumber: '?' })],
    });
    const { findings, acknowledgment } = await stack.transmit('alpha', { ...body, extra: true });
    expect(findings.map(({ level, code, field }) => `${level} ${code} ${field}`)).toEqual([
      '1 REQUIRED operator.name',
      '1 REQUIRED vehicles[0].chassisNumber',
      '2 UNSUPPORTED_COVERAGE_TYPE policy.coverageType',
      '2 INVALID_DATE_RANGE certificate.expirationDate',
      '2 INVALID_FORMAT vehicles[1].plateNumber',
      '2 UNKNOWN_FIELD extra',
      '3 NOT_AUTHORIZED_TO_TRANSMIT issuingInsurerCode',
      '4 REFERENCE_NO_MATCH vehicles[0]',
      '4 REFERENCE_DATA_UNAVAILABLE vehicles[1]',
    ]);
    expect(acknowledgment.errors.map(({ code }) => code)).toEqual([
      'REQUIRED',
      'REQUIRED',
      'UNSUPPORTED_COVERAGE_TYPE',
      'INVALID_DATE_RANGE',
      'INVALID_FORMAT',
      'NOT_AUTHORIZED_TO_TRANSMIT',
    ]);
    expect(acknowledgment.warnings.map(({ code }) => code)).toEqual([
      'UNKNOWN_FIELD',
      'REFERENCE_NO_MATCH',
      'REFERENCE_DATA_UNAVAILABLE',
    ]);
  });

  it('is acknowledged with its normalized plates, and the first one separately (D7)', async () => {
    const vehicles = [
      makePlainVehicle({ plateNumber: 'vec 001' }),
      makePlainVehicle({ plateNumber: 'VEC-002' }),
    ];
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles }));
    expect(acknowledgment.plateNumber).toBe('VEC001');
    expect(acknowledgment.plateNumbers).toEqual(['VEC001', 'VEC002']);
  });

  it('keeps the identifiers as sent in addition to the normalized ones (D7)', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'as-sent 1' });
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [vehicle] }));
    const { envelope } = await stack.get(
      'alpha',
      `/ppai/policies/${acknowledgment.registryReference}`,
    );
    expect(envelope.data).toMatchObject({
      vehicles: [
        { vehicle: { plateNumber: 'ASSENT1' }, transmitted: { plateNumber: 'as-sent 1' } },
      ],
    });
  });

  it.each([
    [0, 365, 'ACTIVE'],
    [1, 365, 'UPCOMING'],
    [-335, 30, 'EXPIRING'],
    [-365, -1, 'EXPIRED'],
  ])('in force from day %d to day %d is acknowledged as %s (D12)', async (from, to, expected) => {
    const date = today();
    const certificate = { effectiveDate: addDays(date, from), expirationDate: addDays(date, to) };
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ certificate }));
    expect(acknowledgment.coverageStatus).toBe(expected);
  });

  it('of 500 vehicles has a body under 1 MB and is accepted within the waiting time', async () => {
    const vehicles = Array.from({ length: 500 }, () =>
      makePlainVehicle({ route: 'Cubao to Baguio by way of Tarlac and Rosario'.repeat(10) }),
    );
    const body = makeBody({ vehicles });
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
    const { status, acknowledgment } = await stack.transmit('alpha', body);
    expect(status).toBe(201);
    expect(acknowledgment.plateNumbers).toHaveLength(500);
    expect(acknowledgment.referenceMatches).toHaveLength(500);
  });
});

describe('unknown members of a body (D6)', () => {
  it('lead to warnings at any depth and are not registered', async () => {
    const body = makeBody();
    const { status, acknowledgment } = await stack.transmit('alpha', {
      ...body,
      nickname: 1,
      operator: { ...body.operator, favouriteColour: 'blue' },
      vehicles: body.vehicles.map((vehicle) => ({ ...vehicle, wheels: 4 })),
    });
    expect(status).toBe(201);
    const unknown = acknowledgment.warnings.filter(({ code }) => code === 'UNKNOWN_FIELD');
    expect(
      unknown.map(({ level, severity, field }) => `${level} ${severity} ${field}`).sort(),
    ).toEqual([
      '2 WARNING nickname',
      '2 WARNING operator.favouriteColour',
      '2 WARNING vehicles[0].wheels',
    ]);
    const record = await stack.get('alpha', `/ppai/policies/${acknowledgment.registryReference}`);
    expect(record.text).not.toMatch(/favouriteColour|nickname|wheels/);
  });
});

describe('reference matches (D21)', () => {
  const unknownVehicle = makeVehicle();
  it.each([
    ['MATCHED', 'REFERENCE_MATCHED', 'ACCEPTED', makeReferenceVehicle(10)],
    [
      'PARTIAL_MATCH',
      'REFERENCE_PARTIAL_MATCH',
      'ACCEPTED',
      makeReferenceVehicle(11, { plateNumber: 'ZZZ011' }),
    ],
    [
      'FOR_REVIEW',
      'REFERENCE_FOR_REVIEW',
      'FLAGGED',
      makeReferenceVehicle(12, { engineNumber: 'ENG1013NCR' }),
    ],
    ['NO_MATCH', 'REFERENCE_NO_MATCH', 'FLAGGED', unknownVehicle],
    ['FOR_REVIEW', 'REFERENCE_DATA_UNAVAILABLE', 'ACCEPTED', makePlainVehicle()],
  ])(
    'with the result %s lead to the finding %s and the status %s',
    async (result, code, status, vehicle) => {
      const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [vehicle] }));
      expect(acknowledgment).toMatchObject({
        status,
        referenceMatches: [{ plateNumber: vehicle.plateNumber, result }],
        warnings: [{ code, level: 4, severity: code === 'REFERENCE_MATCHED' ? 'INFO' : 'WARNING' }],
      });
      const types = acknowledgment.flags.map(({ type }) => type);
      expect(types).toEqual(status === 'FLAGGED' ? ['VEHICLE_MISMATCH'] : []);
    },
  );
});

describe('the active rule set', () => {
  const activate = (changes: {
    coverage_types?: string;
    max_coverage_days?: number;
    max_vehicles?: number;
    flag_no_match?: boolean;
    flag_for_review?: boolean;
  }) => stack.api.context.db.$executeRaw`
    INSERT INTO rule_sets (active_from, coverage_types, max_coverage_days, max_vehicles_per_certificate,
      expiring_within_days, flag_no_match, flag_for_review, created_by)
    VALUES (now() - interval '1 minute', ${[changes.coverage_types ?? 'PPAI_STANDARD']},
      ${changes.max_coverage_days ?? 400}, ${changes.max_vehicles ?? 500}, 30,
      ${changes.flag_no_match ?? true}, ${changes.flag_for_review ?? true}, 'test')`;
  afterEach(
    () => stack.api.context.db.$executeRaw`DELETE FROM rule_sets WHERE created_by = 'test'`,
  );

  it('decides which coverage types are supported', async () => {
    await activate({ coverage_types: 'PPAI_PLUS' });
    const refused = await stack.transmit('alpha', makeBody());
    expect(refused.findings).toContainEqual(
      expect.objectContaining({
        code: 'UNSUPPORTED_COVERAGE_TYPE',
        field: 'policy.coverageType',
        level: 2,
      }),
    );
    const supported = makeBody({ policy: { coverageType: 'PPAI_PLUS' } });
    expect((await stack.transmit('alpha', supported)).status).toBe(201);
  });

  it('limits the days and the vehicles of a certificate', async () => {
    await activate({ max_coverage_days: 30, max_vehicles: 1 });
    const vehicles = [makePlainVehicle(), makePlainVehicle()];
    const { findings } = await stack.transmit('alpha', makeBody({ vehicles }));
    expect(
      findings.filter(({ level }) => level === 2).map(({ code, field }) => [code, field]),
    ).toEqual([
      ['COVERAGE_TOO_LONG', 'certificate.expirationDate'],
      ['INVALID_FORMAT', 'vehicles'],
    ]);
  });

  it('can switch off the flags of level 4, but not its findings', async () => {
    await activate({ flag_no_match: false, flag_for_review: false });
    const vehicles = [makeVehicle(), makeReferenceVehicle(20, { plateNumber: 'NCR1021' })];
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles }));
    expect(acknowledgment).toMatchObject({ status: 'ACCEPTED', flags: [] });
    expect(acknowledgment.referenceMatches.map(({ result }) => result)).toEqual([
      'NO_MATCH',
      'FOR_REVIEW',
    ]);
  });
});
