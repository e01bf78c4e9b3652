import { fillBacklog, workerAtWork } from '../../../env/api/backlog.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stack.stop();
});

const INSURERS = { alpha: 'INS-ALPHA', bravo: 'INS-BRAVO' } as const;
/** Has waited long enough for the rate of the workers to count. */
const DUMPED = { kind: 'CREATE', ageSeconds: 10 } as const;
/** What the worker settles in five seconds, by its cost. */
const PLENTY = 50;

async function post(client: keyof typeof INSURERS): Promise<void> {
  const body = makeBody({ issuingInsurerCode: INSURERS[client] });
  const { status } = await stack.post(client, '/ppai/policies', body, 'respond-async');
  expect(status).toBe(202);
}

/** Whom the API asked to wait for a burst, by the code of the organization. */
async function watchBursts(): Promise<string[]> {
  const { bursts, db } = stack.api.context;
  const rows = await db.$queryRaw<{ id: string; code: string }[]>`
    SELECT id, code FROM organizations`;
  const codes = new Map(rows.map(({ id, code }) => [id, code]));
  const waited: string[] = [];
  const { untilNext } = bursts;
  jest.spyOn(bursts, 'untilNext').mockImplementation((who) => {
    waited.push(codes.get(who) ?? who);
    return untilNext(who);
  });
  return waited;
}

async function dump(count: number): Promise<void> {
  await fillBacklog(stack.ownerDb, 'INS-ALPHA', count, DUMPED);
}

/** Both send at the same moment: each is in the gate while the other one is. */
async function meet(): Promise<void> {
  const { nonces } = stack.api.context;
  const { use } = nonces;
  const here = new Set<string>();
  let bothAreHere = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    bothAreHere = resolve;
  });
  const held = jest.spyOn(nonces, 'use').mockImplementation(async (clientId, ...more) => {
    if (here.add(clientId).size === 2) bothAreHere();
    await both;
    return use(clientId, ...more);
  });
  await Promise.all([post('bravo'), post('alpha')]);
  held.mockRestore();
}

describe('an organization of which plenty waits', () => {
  it('is let in by bursts while another one sends, which waits for nothing', async () => {
    await workerAtWork(stack.api.context.db, 10);
    await dump(PLENTY);
    const waited = await watchBursts();
    await meet();
    await Promise.all([post('alpha'), post('bravo')]);
    expect(waited).toEqual(['INS-ALPHA', 'INS-ALPHA']);
  });

  it('has nothing recorded until its burst begins', async () => {
    const { bursts, roundTrips } = stack.api.context;
    await workerAtWork(stack.api.context.db, 10);
    await dump(PLENTY);
    await meet();
    const recorded = jest.spyOn(roundTrips, 'receive');
    let begin = (): void => undefined;
    const asked = new Promise<void>((isAsked) => {
      jest.spyOn(bursts, 'untilNext').mockImplementation(() => {
        isAsked();
        return new Promise((resolve) => {
          begin = resolve;
        });
      });
    });
    const waiting = post('alpha');
    await asked;
    await post('bravo');
    expect(recorded).toHaveBeenCalledTimes(1);
    begin();
    await waiting;
    expect(recorded).toHaveBeenCalledTimes(2);
  });

  it('waits for nothing while it sends alone', async () => {
    await workerAtWork(stack.api.context.db, 10);
    await dump(PLENTY);
    const waited = await watchBursts();
    await Promise.all([post('alpha'), post('alpha')]);
    expect(waited).toEqual([]);
  });

  it('waits for nothing while no worker works, whom it could be left to', async () => {
    await dump(PLENTY);
    const waited = await watchBursts();
    await meet();
    expect(waited).toEqual([]);
  });
});

it('an organization of which little waits is not let in by bursts until that takes longer', async () => {
  await workerAtWork(stack.api.context.db, 10);
  await dump(PLENTY - 3);
  const waited = await watchBursts();
  await meet();
  expect(waited).toEqual([]);
  await stack.api.context.db.$executeRaw`
    UPDATE worker_processes SET cost_per_second = 5`;
  // Until the API has looked again.
  await untilSeen(
    async () => {
      await meet();
      return waited;
    },
    (all) => all.includes('INS-ALPHA'),
    50,
  );
  expect(waited).not.toContain('INS-BRAVO');
});
