import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import type { TestAnswer } from '../../../env/api/api-env.ts';
import {
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

interface Registered {
  readonly reference: string;
  readonly body: TransmissionBody;
}

async function register(
  body: TransmissionBody = makeBody(),
  client = 'alpha',
): Promise<Registered> {
  const { status, acknowledgment } = await stack.transmit(client, body);
  expect(status).toBe(201);
  return { reference: acknowledgment.registryReference ?? '', body };
}

function amend(
  reference: string,
  changes: object,
  { client = 'alpha', ...rest }: { client?: string; [member: string]: unknown } = {},
): Promise<TestAnswer> {
  return stack.post(client, `/ppai/policies/${reference}/amendments`, {
    externalTransactionId: uniqueNumber('AMD'),
    reason: 'The insurer corrects the record',
    changes,
    ...rest,
  });
}

function acknowledgmentOf(answer: TestAnswer): Acknowledgment {
  return answer.envelope.data as unknown as Acknowledgment;
}

function codesOf(answer: TestAnswer): (string | null)[][] {
  return (answer.envelope.error?.details ?? [])
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ code, field }) => [code, field]);
}

describe('an amendment', () => {
  it('makes the next version and answers 200 with an acknowledgment of kind AMEND', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, { policy: { remarks: 'Paid in full' } });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer)).toMatchObject({
      kind: 'AMEND',
      status: 'ACCEPTED',
      version: 2,
      registryReference: reference,
      coverageStatus: 'ACTIVE',
      policyNumber: body.policy.policyNumber,
      certificateOfCover: body.certificate.cocNumber,
    });
    const again = await amend(reference, { operator: { contactPhone: null } });
    expect(acknowledgmentOf(again).version).toBe(3);
  });

  it('that is repeated is answered with the first acknowledgment and changes nothing', async () => {
    const { reference } = await register();
    const externalTransactionId = uniqueNumber('AMD');
    const changes = { policy: { remarks: 'Once' } };
    const first = await amend(reference, changes, { externalTransactionId });
    const second = await amend(reference, changes, { externalTransactionId });
    expect(second.status).toBe(200);
    expect(second.envelope.data).toEqual({ ...first.envelope.data, replayed: true });
    const next = await amend(reference, { policy: { remarks: 'Twice' } });
    expect(acknowledgmentOf(next).version).toBe(3);
  });

  it.each([
    ['the issuing insurer', { issuingInsurerCode: 'INS-BRAVO' }, 'changes.issuingInsurerCode'],
    ['the policy number', { policy: { policyNumber: 'OTHER' } }, 'changes.policy.policyNumber'],
    [
      'the certificate number',
      { certificate: { cocNumber: 'OTHER' } },
      'changes.certificate.cocNumber',
    ],
    [
      'the certificate number away',
      { certificate: { cocNumber: null } },
      'changes.certificate.cocNumber',
    ],
  ])('that changes %s is refused as IMMUTABLE_FIELD', async (_what, changes, field) => {
    const { reference } = await register();
    const answer = await amend(reference, changes);
    expect(answer.status).toBe(422);
    expect(answer.envelope.error?.code).toBe('IMMUTABLE_FIELD');
    expect(codesOf(answer)).toContainEqual(['IMMUTABLE_FIELD', field]);
  });

  it('that names identity fields with their own values changes nothing by them', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, {
      issuingInsurerCode: 'INS-ALPHA',
      policy: { policyNumber: body.policy.policyNumber, remarks: 'Corrected' },
    });
    expect(answer.status).toBe(200);
  });

  it('without any change is refused with NO_CHANGES', async () => {
    const { reference, body } = await register();
    for (const changes of [{}, { policy: { coverageType: body.policy.coverageType } }]) {
      const answer = await amend(reference, changes);
      expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
      expect(codesOf(answer)).toEqual([['NO_CHANGES', 'changes']]);
    }
  });

  it('of another version than expected is a CONFLICT', async () => {
    const { reference } = await register();
    const answer = await amend(reference, { policy: { remarks: 'x' } }, { expectedVersion: 2 });
    expect(answer.status).toBe(409);
    expect(answer.envelope.error?.code).toBe('CONFLICT');
    const right = await amend(reference, { policy: { remarks: 'x' } }, { expectedVersion: 1 });
    expect(right.status).toBe(200);
  });

  it('of policy details is refused field by field while other certificates share the policy', async () => {
    const first = await register();
    await register(makeBody({ policy: { ...first.body.policy } }));
    const answer = await amend(first.reference, {
      poolCode: 'POOL-NORTH',
      policy: { issuanceDate: addDays(today(), -1), premiumAmount: 9, remarks: 'x' },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual([
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.poolCode'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.issuanceDate'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.premiumAmount'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.remarks'],
    ]);
    const own = await amend(first.reference, {
      certificate: { insurerVerificationReference: 'V' },
    });
    expect(own.status).toBe(200);
  });

  it('passes the same four levels as a new certificate', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, {
      policy: { coverageType: 'GOLD' },
      certificate: { expirationDate: body.certificate.effectiveDate },
      operator: { name: null, contactEmail: 'nobody' },
      vehicles: { add: [makeVehicle({ chassisNumber: null, plateNumber: '???' })] },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual(
      expect.arrayContaining([
        ['REQUIRED', 'changes.operator.name'],
        ['REQUIRED', 'changes.vehicles.add[0].chassisNumber'],
        ['UNSUPPORTED_COVERAGE_TYPE', 'changes.policy.coverageType'],
        ['INVALID_DATE_RANGE', 'changes.certificate.expirationDate'],
        ['INVALID_FORMAT', 'changes.operator.contactEmail'],
        ['INVALID_FORMAT', 'changes.vehicles.add[0].plateNumber'],
      ]),
    );
  });

  it('adds, updates and removes vehicles, and frees the removed one at once', async () => {
    const [kept, dropped] = [makePlainVehicle(), makePlainVehicle()];
    const { reference } = await register(makeBody({ vehicles: [kept, dropped] }));
    const added = makePlainVehicle();
    const answer = await amend(reference, {
      vehicles: {
        add: [added],
        remove: [{ chassisNumber: dropped.chassisNumber }],
        update: [{ match: { plateNumber: kept.plateNumber }, set: { plateNumber: 'new 9-1' } }],
      },
    });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer).plateNumbers).toEqual(['NEW91', added.plateNumber]);
    const elsewhere = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [dropped] }),
    );
    expect(elsewhere.status).toBe(201);
    for (const vehicle of [added, kept, makePlainVehicle({ plateNumber: 'NEW91' })]) {
      const refused = await stack.transmit(
        'bravo',
        makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
      );
      expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
    }
  });

  it('that names a vehicle the record does not have says so', async () => {
    const { reference, body } = await register();
    const plateNumber = body.vehicles[0]?.plateNumber;
    const answer = await amend(reference, {
      vehicles: {
        remove: [{ plateNumber: 'XX99' }, {}, { plateNumber, engineNumber: 'ENG1' }],
        update: [{ match: { mvFileNumber: '0000' }, set: { make: 'Hino' } }],
      },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual([
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.update[0].match'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[0]'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[1]'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[2]'],
    ]);
  });

  it('that would cover a vehicle twice is refused, by dates or by vehicles', async () => {
    const vehicle = makePlainVehicle();
    const begins = addDays(today(), -100);
    const first = await register(
      makeBody({
        vehicles: [vehicle],
        policy: { issuanceDate: begins },
        certificate: { effectiveDate: begins, expirationDate: addDays(today(), 10) },
      }),
    );
    const renewal = {
      effectiveDate: addDays(today(), 11),
      expirationDate: addDays(today(), 300),
    };
    const second = await register(
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle], certificate: renewal }),
      'bravo',
    );
    const longer = await amend(first.reference, {
      certificate: { expirationDate: renewal.effectiveDate },
    });
    expect(longer.envelope.error?.code).toBe('VEHICLE_ALREADY_INSURED');
    expect(codesOf(longer)).toEqual([['VEHICLE_ALREADY_INSURED', 'vehicles[0].plateNumber']]);
    const third = await register();
    const taken = await amend(third.reference, { vehicles: { add: [vehicle] } });
    expect(taken.envelope.error?.code).toBe('VEHICLE_ALREADY_INSURED');
    expect(codesOf(taken)).toEqual([
      ['VEHICLE_ALREADY_INSURED', 'changes.vehicles.add[0].plateNumber'],
    ]);
    const shorter = await amend(first.reference, {
      certificate: { expirationDate: addDays(today(), 5) },
    });
    expect(shorter.status).toBe(200);
    const earlier = await amend(
      second.reference,
      { certificate: { effectiveDate: addDays(today(), 6) } },
      { client: 'bravo' },
    );
    expect(earlier.status).toBe(200);
  });

  it('resolves the flags whose cause it takes away and keeps the others (D29)', async () => {
    const [odd, moved, other] = [makeVehicle(), makeVehicle(), makeVehicle()];
    const { reference } = await register(makeBody({ vehicles: [odd, moved, other] }));
    const { plateNumber: _own, ...found } = makeReferenceVehicle(77);
    const answer = await amend(reference, {
      vehicles: {
        update: [
          {
            match: { plateNumber: odd.plateNumber },
            set: { mvFileNumber: found.mvFileNumber, engineNumber: found.engineNumber },
          },
          { match: { plateNumber: moved.plateNumber }, set: { region: 'CAR' } },
        ],
      },
    });
    expect(acknowledgmentOf(answer)).toMatchObject({ status: 'FLAGGED' });
    expect(acknowledgmentOf(answer).flags).toHaveLength(1);
    const flagsNow = async () => {
      const flags = await stack.api.context.db.flag.findMany({
        where: { certificate: { registryReference: reference } },
        orderBy: { plateNumber: 'asc' },
      });
      return flags.map(({ plateNumber, status }) => [plateNumber, status]);
    };
    expect(await flagsNow()).toEqual([
      [odd.plateNumber, 'RESOLVED_BY_AMENDMENT'],
      [moved.plateNumber, 'OPEN'],
      [other.plateNumber, 'OPEN'],
    ]);
    const removed = await amend(reference, {
      vehicles: { remove: [{ plateNumber: other.plateNumber }] },
    });
    expect(acknowledgmentOf(removed)).toMatchObject({ status: 'ACCEPTED', flags: [] });
    expect(await flagsNow()).toEqual([
      [odd.plateNumber, 'RESOLVED_BY_AMENDMENT'],
      [moved.plateNumber, 'OPEN'],
      [other.plateNumber, 'RESOLVED_BY_AMENDMENT'],
    ]);
  });

  it('serializes with the others of its record: each gets a version of its own, none is lost', async () => {
    const { reference } = await register();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        amend(reference, { policy: { remarks: `number ${index}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const versions = answers.map((answer) => acknowledgmentOf(answer).version ?? 0);
    expect(versions.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
  });

  it('brings the rest of a certificate too large for one body', async () => {
    const half = () => Array.from({ length: 250 }, () => makePlainVehicle());
    const { reference } = await register(makeBody({ vehicles: half() }));
    const answer = await amend(reference, { vehicles: { add: half() } });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer).plateNumbers).toHaveLength(500);
    const tooMany = await amend(reference, { vehicles: { add: [makePlainVehicle()] } });
    expect(codesOf(tooMany)).toEqual([['INVALID_FORMAT', 'changes.vehicles.add']]);
  });

  it('is FORBIDDEN to who sees the record and NOT_FOUND to who does not', async () => {
    const { reference } = await register(
      makeBody({ issuingInsurerCode: 'INS-BRAVO', poolCode: 'POOL-NORTH' }),
      'mgt-one',
    );
    const stranger = await amend(reference, { policy: { remarks: 'x' } }, { client: 'charlie' });
    expect(stranger.envelope.error?.code).toBe('NOT_FOUND');
    const absent = await amend('PPAI-2026-999999999', { policy: { remarks: 'x' } });
    expect(absent.envelope.error?.code).toBe('NOT_FOUND');
    const lead = await amend(reference, { policy: { remarks: 'x' } });
    expect(lead.status).toBe(200);
    // CHARLIE's policy, transmitted by the management company of a pool that CHARLIE left since.
    const past = { issuanceDate: '2025-06-01' };
    const seen = await register(
      makeBody({
        issuingInsurerCode: 'INS-CHARLIE',
        poolCode: 'POOL-NORTH',
        policy: past,
      }),
      'mgt-one',
    );
    const moved = await amend(
      seen.reference,
      { policy: { issuanceDate: '2026-02-01' }, poolCode: null },
      { client: 'charlie' },
    );
    expect(moved.status).toBe(200);
    const noLonger = await amend(
      seen.reference,
      { policy: { remarks: 'x' } },
      { client: 'mgt-one' },
    );
    expect(noLonger.envelope.error?.code).toBe('FORBIDDEN');
  });

  it('that took the record out of sight is answered again all the same (D5)', async () => {
    const { reference } = await register(
      makeBody({ issuingInsurerCode: 'INS-BRAVO', poolCode: 'POOL-NORTH' }),
      'bravo',
    );
    const externalTransactionId = uniqueNumber('AMD');
    const away = () => amend(reference, { poolCode: null }, { externalTransactionId });
    const first = await away();
    expect(first.status).toBe(200);
    const again = await away();
    expect([again.status, again.envelope.data]).toEqual([
      200,
      { ...first.envelope.data, replayed: true },
    ]);
    const other = await amend(reference, { poolCode: 'POOL-NORTH' }, { externalTransactionId });
    expect(other.envelope.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const fresh = await amend(reference, { poolCode: 'POOL-NORTH' });
    expect(fresh.envelope.error?.code).toBe('NOT_FOUND');
  });

  it.each([
    ['an empty reason', { reason: ' ' }, 'reason'],
    ['a reason of a wrong type', { reason: 7 }, 'reason'],
    ['changes of a wrong type', { changes: [] }, 'changes'],
    ['a version of a wrong type', { expectedVersion: 'one' }, 'expectedVersion'],
    [
      'a vehicle of a wrong type',
      { changes: { vehicles: { add: ['x'] } } },
      'changes.vehicles.add[0]',
    ],
    ['no external id', { externalTransactionId: null }, 'externalTransactionId'],
  ])('with %s is refused before it is recorded', async (_what, members, field) => {
    const { reference } = await register();
    const answer = await amend(reference, { policy: { remarks: 'x' } }, members);
    expect(answer.status).toBe(422);
    expect(answer.envelope.data).toBeNull();
    expect(codesOf(answer)).toContainEqual(['INVALID_FORMAT', field]);
  });
});

describe('a cancellation', () => {
  function cancel(
    { reference, body }: Registered,
    members: object = {},
    client = 'alpha',
  ): Promise<TestAnswer> {
    return stack.post(client, `/ppai/policies/${reference}/cancellation`, {
      externalTransactionId: uniqueNumber('CAN'),
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: today(),
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'The operator sold the vehicle',
      ...members,
    });
  }

  it('ends the record at once, keeps its version and frees its vehicles', async () => {
    const registered = await register();
    const answer = await cancel(registered);
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer)).toMatchObject({
      kind: 'CANCEL',
      status: 'ACCEPTED',
      coverageStatus: 'CANCELLED',
      version: 1,
      registryReference: registered.reference,
    });
    const elsewhere = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: registered.body.vehicles }),
    );
    expect(elsewhere.status).toBe(201);
  });

  it('is terminal: amending or cancelling again is RECORD_CANCELLED', async () => {
    const registered = await register();
    await cancel(registered);
    const again = await cancel(registered);
    expect([again.status, again.envelope.error?.code]).toEqual([422, 'RECORD_CANCELLED']);
    const amended = await amend(registered.reference, { policy: { remarks: 'x' } });
    expect([amended.status, amended.envelope.error?.code]).toEqual([422, 'RECORD_CANCELLED']);
  });

  it('never frees the policy and certificate number', async () => {
    const registered = await register();
    await cancel(registered);
    const again = await stack.transmit('alpha', {
      ...registered.body,
      externalTransactionId: uniqueNumber('EXT'),
    });
    expect(again.errorCode).toBe('DUPLICATE_TRANSMISSION');
  });

  it.each([
    ['another policy number', { policyNumber: 'OTHER' }, 'RECORD_MISMATCH', 'policyNumber'],
    ['another certificate number', { cocNumber: 'OTHER' }, 'RECORD_MISMATCH', 'cocNumber'],
    [
      'a date after today',
      { cancellationEffectiveDate: addDays(today(), 1) },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'a date before issuance',
      { cancellationEffectiveDate: addDays(today(), -1) },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'an impossible date',
      { cancellationEffectiveDate: '2026-02-30' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    ['an unknown reason', { reasonCode: 'BORED' }, 'VALIDATION_FAILED', 'reasonCode'],
    ['an empty policy number', { policyNumber: ' ' }, 'VALIDATION_FAILED', 'policyNumber'],
  ])('with %s is refused', async (_what, members, code, field) => {
    const answer = await cancel(await register(), members);
    expect([answer.status, answer.envelope.error?.code]).toEqual([422, code]);
    expect(codesOf(answer).map(([, at]) => at)).toContain(field);
  });

  it('that races with amendments comes before or after each of them, never between', async () => {
    const registered = await register();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        amend(registered.reference, { policy: { remarks: uniqueNumber('R') } }),
      ),
      cancel(registered),
      ...Array.from({ length: 5 }, () =>
        amend(registered.reference, { policy: { remarks: uniqueNumber('R') } }),
      ),
    ]);
    const amended = answers.filter(({ status }) => status === 200).length - 1;
    const refused = answers.filter(({ envelope }) => envelope.error?.code === 'RECORD_CANCELLED');
    expect(amended + refused.length).toBe(10);
    const record = await stack.api.context.db.certificate.findUniqueOrThrow({
      where: { registryReference: registered.reference },
    });
    expect(record).toMatchObject({ lifecycle: 'CANCELLED', currentVersion: amended + 1 });
  });
});
