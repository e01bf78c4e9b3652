import { take } from '../../shared/store/processing.ts';
import { processTransmission } from '../../worker/process-transmission.ts';
import { makeBody, makePlainVehicle } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

const OPTIONS = { leaseSeconds: 60, transmissionsMax: 10, vehiclesMax: 20 };

async function dump(
  client: string,
  issuingInsurerCode: string,
  count: number,
  vehicles: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const body = makeBody({
      issuingInsurerCode,
      vehicles: Array.from({ length: vehicles }, () => makePlainVehicle()),
    });
    const answer = await stack.post(client, '/ppai/policies', body, 'respond-async');
    expect(answer.status).toBe(202);
    ids.push(body.externalTransactionId);
  }
  return ids;
}

describe('under backlog a batch', () => {
  it('takes from every organization that waits, each in its order of receipt', async () => {
    const pool = await dump('mgt-one', 'INS-ALPHA', 30, 1);
    const small = await dump('bravo', 'INS-BRAVO', 2, 1);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken).toHaveLength(7);
    expect(taken.map((one) => one.externalTransactionId)).toEqual([...pool.slice(0, 5), ...small]);
  });

  it('shares by vehicles, not by transmissions', async () => {
    await dump('mgt-one', 'INS-ALPHA', 5, 8);
    const small = await dump('bravo', 'INS-BRAVO', 5, 1);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken.map((one) => one.externalTransactionId)).toEqual(expect.arrayContaining(small));
    expect(taken).toHaveLength(small.length + 1);
  });

  it('takes the first one even when it is larger than a batch', async () => {
    await dump('alpha', 'INS-ALPHA', 1, 30);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken).toHaveLength(1);
  });

  it('is followed by others until nothing waits, whatever the queue knows', async () => {
    await dump('mgt-one', 'INS-ALPHA', 60, 1);
    await dump('bravo', 'INS-BRAVO', 5, 1);
    const worker = await stack.addWorker();
    const { db } = worker.context;
    const first = await db.transmission.findFirstOrThrow({ orderBy: { sequence: 'asc' } });
    await processTransmission(worker.context, { id: first.id });
    for (;;) {
      const waiting = await db.transmission.count({ where: { completedAt: null } });
      if (waiting === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await db.transmission.count({ where: { status: 'ACCEPTED' } })).toBe(65);
  });
});
