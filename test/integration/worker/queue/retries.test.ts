import { sqlState } from '../../../../shared/db/prisma.ts';
import { drain } from '../../../../worker/drain.ts';
import { RETRY_PAUSES_SECONDS } from '../../../../worker/retry-policy.ts';
import { sweepOnce } from '../../../../worker/sweeper.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeIdleWorker } from '../../../env/records/idle-worker.ts';
import { makeIntake } from '../../../env/records/intake.ts';

let stack: Stack;
let intake: ReturnType<typeof makeIntake>;
let worker: ReturnType<typeof makeIdleWorker>;
beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { LEASE_SECONDS: '1' } });
  worker = makeIdleWorker(stack.api.context);
  intake = makeIntake(stack);
});
afterEach(() => stack.stopWorkers());
afterAll(() => stack.stop());

describe('a fault of the service (D2)', () => {
  it('is retried after growing pauses and then parked; it never becomes REJECTED', async () => {
    const { id, body, externalTransactionId } = await intake.post();
    const repair = await intake.spoil(id);
    const pauses: number[] = [];
    for (let failures = 1; failures <= RETRY_PAUSES_SECONDS.length; failures += 1) {
      const before = Date.now();
      await drain(worker, { id });
      const row = await intake.read(id);
      expect(row).toMatchObject({ status: 'VALIDATING', failures, parkedAt: null });
      // The pause began during the attempt, however long that took.
      const pause = RETRY_PAUSES_SECONDS[failures - 1] ?? 0;
      const began = row.dueAt.getTime() - pause * 1_000;
      if (began >= before && began <= Date.now()) pauses.push(pause);
      await drain(worker, { id });
      expect((await intake.read(id)).failures).toBe(failures);
      await intake.makeAllDue();
    }
    expect(pauses).toEqual([...RETRY_PAUSES_SECONDS]);
    await drain(worker, { id });
    expect(await intake.read(id)).toMatchObject({
      status: 'VALIDATING',
      parkedAt: expect.any(Date),
    });

    await intake.makeAllDue();
    expect(await sweepOnce(worker)).toBe(0);
    await drain(worker, { id });
    const lookedUp = await stack.get('alpha', `/ppai/transmissions/${externalTransactionId}`);
    expect(lookedUp.envelope.data).toMatchObject({ status: 'VALIDATING' });
    const again = await stack.post('alpha', '/ppai/policies', body);
    expect(again.envelope.error?.code).toBe('TRANSMISSION_IN_PROGRESS');

    await repair();
    await worker.db.transmission.update({ where: { id }, data: { parkedAt: null } });
    await intake.makeAllDue();
    await drain(worker, { id });
    expect(await intake.read(id)).toMatchObject({ status: 'ACCEPTED', lastError: null });
  });

  it('in one transmission of a batch does not hold up the others', async () => {
    const posted = await Promise.all(Array.from({ length: 10 }, () => intake.post()));
    const [spoiled, ...sound] = posted;
    if (spoiled === undefined) throw new Error('nothing was posted');
    const repair = await intake.spoil(spoiled.id);
    await stack.addWorker();
    const finished = await Promise.all(
      sound.map((one) => stack.untilTerminal(one.externalTransactionId)),
    );
    expect(new Set(finished.map(({ status }) => status))).toEqual(new Set(['ACCEPTED']));
    expect((await intake.read(spoiled.id)).status).not.toBe('REJECTED');
    await repair();
    await intake.makeAllDue();
    const repaired = await stack.untilTerminal(spoiled.externalTransactionId);
    expect(repaired.status).toBe('ACCEPTED');
  });
});

describe('a terminal transmission', () => {
  it.each([{}, { operator: { name: null } }])('never changes again: %j', async (changes) => {
    const { id } = await intake.post(makeBody(changes));
    await drain(worker, { id });
    const before = await intake.read(id);
    for (const data of [
      { status: 'RECEIVED' },
      { errorCode: 'INTERNAL_ERROR' },
      { fence: 99 },
      { acknowledgment: {} },
    ]) {
      const refused = await worker.db.transmission
        .update({ where: { id }, data })
        .catch((error: unknown) => error);
      expect(sqlState(refused)).toBe('23001');
    }
    expect(await intake.read(id)).toEqual(before);
  });
});
