import { addDays } from '../../../../shared/domain/calendar.ts';
import {
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { acknowledgmentOf, codesOf, makeAmending } from './amending.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const { register, amend } = makeAmending(() => stack);

describe('an amendment', () => {
  it('is refused if its dates or vehicles would cover a vehicle twice', async () => {
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

  it('resolves the flags whose cause it removes, and keeps the others (D29)', async () => {
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

  it('is serialized with concurrent amendments of its record: each gets its own version, and none is lost', async () => {
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

  it('can add the remaining vehicles of a certificate that is too large for one body', async () => {
    const half = () => Array.from({ length: 250 }, () => makePlainVehicle());
    const { reference } = await register(makeBody({ vehicles: half() }));
    const answer = await amend(reference, { vehicles: { add: half() } });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer).plateNumbers).toHaveLength(500);
    const tooMany = await amend(reference, { vehicles: { add: [makePlainVehicle()] } });
    expect(codesOf(tooMany)).toEqual([['INVALID_FORMAT', 'changes.vehicles.add']]);
  });

  it('is FORBIDDEN for a sender that only sees the record, and NOT_FOUND for one that does not', async () => {
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
    // CHARLIE's policy, transmitted by the management company of a pool that CHARLIE has left since.
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

  it('is replayed even if it made the record invisible to its sender (D5)', async () => {
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
