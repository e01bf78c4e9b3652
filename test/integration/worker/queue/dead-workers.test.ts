import { ATTEMPTS_MAX, claim } from '../../../../shared/store/intake/claim.ts';
import { sweep } from '../../../../shared/store/intake/sweep.ts';
import { drain } from '../../../../worker/drain.ts';
import { registerBatch } from '../../../../worker/register.ts';
import { sweepOnce } from '../../../../worker/sweeper.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeIdleWorker } from '../../../env/records/idle-worker.ts';
import { makeIntake, ONE_HELD } from '../../../env/records/intake.ts';
import { emptyQueue } from '../../../env/servers/queue-faults.ts';

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

describe('a worker that dies after a claim', () => {
  it('leaves the transmission to another worker when the lease ends', async () => {
    const { id, externalTransactionId } = await intake.post();
    const { claimed } = await claim(worker.db, id, { ...ONE_HELD, leaseSeconds: 1 });
    expect(claimed).toHaveLength(1);
    expect((await claim(worker.db, id, ONE_HELD)).claimed).toEqual([]);
    await emptyQueue({ ...stack.config, db: stack.ownerDb });
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
    expect((await intake.read(id)).fence).toBe(2);
  });

  it('leaves the transmission to the next pass of the sweeper, however many others wait', async () => {
    const waiting = [await intake.post(), await intake.post()];
    const abandoned = await intake.post();
    await claim(worker.db, abandoned.id, ONE_HELD);
    await intake.makeAllDue();
    const late = waiting.map(({ id }) => id);
    await worker.db
      .$executeRaw`UPDATE transmissions SET sweep_at = now() - interval '1 hour' WHERE id = ANY(${late}::uuid[])`;
    const swept = (await sweep(worker.db, { claimedMax: 1, waitingMax: 1 })).map(({ id }) => id);
    expect(swept).toHaveLength(2);
    expect(swept).toContain(abandoned.id);
    await stack.addWorker();
    for (const { externalTransactionId } of [...waiting, abandoned])
      await stack.untilTerminal(externalTransactionId);
  });

  it('does not keep the next job out of the queue with its own job', async () => {
    const { id } = await intake.post();
    await claim(worker.db, id, ONE_HELD);
    const jobs = await worker.producer.depth();
    await intake.makeAllDue();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await intake.makeAllDue();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await intake.makeAllDue();
    await drain(worker, { id });
  });

  it('does not hold up a transmission that it never claimed, even if its clock is wrong', async () => {
    const { id } = await intake.post();
    const jobs = await worker.producer.depth();
    await intake.makeAllDue();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs);
    await worker.db
      .$executeRaw`UPDATE transmissions SET recorded_at = now() - interval '30 seconds' WHERE id = ${id}::uuid`;
    await intake.makeAllDue();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await drain(worker, { id });
  });

  it('changes nothing if it comes back after another worker has finished the transmission', async () => {
    const { id, cocNumber } = await intake.post();
    const { claimed: late } = await claim(worker.db, id, ONE_HELD);
    await intake.makeAllDue();
    await drain(worker, { id });
    const finished = await intake.read(id);
    expect(finished.status).toBe('ACCEPTED');
    const onFailure = jest.fn(async () => undefined);
    await registerBatch(worker, late, onFailure);
    expect(onFailure).not.toHaveBeenCalled();
    expect(await intake.read(id)).toEqual(finished);
    expect(await intake.countCertificates(cocNumber)).toBe(1);
  });

  it('changes nothing if it comes back while another worker processes the transmission', async () => {
    const { id, cocNumber } = await intake.post();
    const { claimed: late } = await claim(worker.db, id, ONE_HELD);
    await intake.makeAllDue();
    const { claimed: next } = await claim(worker.db, id, ONE_HELD);
    const onFailure = jest.fn(async () => undefined);
    await registerBatch(worker, late, onFailure);
    expect(onFailure).not.toHaveBeenCalled();
    expect(await intake.read(id)).toMatchObject({ status: 'VALIDATING', fence: 2 });
    expect(await intake.countCertificates(cocNumber)).toBe(0);
    await registerBatch(worker, next, onFailure);
    expect(await intake.read(id)).toMatchObject({ status: 'ACCEPTED', fence: 2 });
    expect(await intake.countCertificates(cocNumber)).toBe(1);
  });
});

it('a transmission that kills one worker after another is parked and stays in progress', async () => {
  const { id, body } = await intake.post();
  await worker.db.transmission.update({
    where: { id },
    data: { attempts: ATTEMPTS_MAX, status: 'VALIDATING' },
  });
  await intake.makeAllDue();
  expect(await sweepOnce(worker)).toBe(0);
  const parked = await intake.read(id);
  expect(parked).toMatchObject({ status: 'VALIDATING', parkedAt: expect.any(Date) });
  expect((await stack.post('alpha', '/ppai/policies', body)).status).toBe(409);
});
