import { STALLED_SECONDS } from '../../../shared/store/intake/backlog.ts';
import { fillBacklog, workerAtWork } from '../../env/api/backlog.ts';
import { makeBody } from '../../env/api/bodies.ts';
import type { TestAnswer } from '../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { untilSeen } from '../../env/server-timeouts.ts';

const AGE_MAX_SECONDS = 60;
const TOO_OLD = { kind: 'CREATE', ageSeconds: AGE_MAX_SECONDS + 1 } as const;
/** Has waited long enough for the rate of the workers to count. */
const DUMPED = { kind: 'CREATE', ageSeconds: 10 } as const;

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({
    workers: 0,
    environment: { BACKLOG_AGE_MAX_SECONDS: String(AGE_MAX_SECONDS) },
  });
});
afterEach(() => stack.stop());

const INSURERS = { alpha: 'INS-ALPHA', bravo: 'INS-BRAVO', 'mgt-one': 'INS-ALPHA' } as const;

async function post(client: keyof typeof INSURERS) {
  const body = makeBody({ issuingInsurerCode: INSURERS[client] });
  const answer = await stack.post(client, '/ppai/policies', body, 'respond-async');
  return { body, answer };
}

const retryAfterOf = ({ headers }: TestAnswer): number => Number(headers['retry-after']);

/** Looks at what a POST has recorded. */
function look(client: string, { headers }: TestAnswer): Promise<TestAnswer> {
  return stack.get(client, String(headers['location']).replace('/api/v1', ''));
}

/** Asks until the API has looked at the backlog again. */
function postUntil(client: keyof typeof INSURERS, status: number) {
  return untilSeen(
    () => post(client),
    ({ answer }) => answer.status === status,
    50,
  );
}

describe('a backlog too old to be useful (D20)', () => {
  it('refuses new work before anything is recorded, answers what is known, and ends with its work', async () => {
    const known = makeBody();
    const { db } = stack.api.context;
    await stack.post('alpha', '/ppai/policies', known, 'respond-async');
    await db.$executeRaw`UPDATE transmissions SET recorded_at = now() - interval '61 seconds'`;

    const { body, answer } = await postUntil('alpha', 429);
    expect([answer.status, answer.envelope.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(retryAfterOf(answer)).toBeGreaterThanOrEqual(1);
    const { externalTransactionId } = body;
    expect(await db.transmission.count({ where: { externalTransactionId } })).toBe(0);

    const repeated = await stack.post('alpha', '/ppai/policies', known);
    expect(repeated.envelope.error?.code).toBe('TRANSMISSION_IN_PROGRESS');
    const other = { ...known, poolCode: 'POOL-NORTH' };
    const reused = await stack.post('alpha', '/ppai/policies', other);
    expect(reused.envelope.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');

    await stack.addWorker();
    await stack.untilTerminal(known.externalTransactionId);
    expect((await postUntil('alpha', 202)).answer.status).toBe(202);
  });

  it('is its own: what one organization has dumped refuses no other, while workers take', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 100, TOO_OLD);
    await workerAtWork(stack.api.context.db, 10);
    expect((await postUntil('mgt-one', 429)).answer.status).toBe(429);
    expect((await post('bravo')).answer.status).toBe(202);
  });

  it('is everybody’s while no worker takes anything', async () => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1, TOO_OLD);
    await workerAtWork(stack.api.context.db, 10);
    expect((await post('bravo')).answer.status).toBe(202);
    await db.$executeRaw`
      UPDATE worker_processes SET last_taken_at = now() - make_interval(secs => ${STALLED_SECONDS + 1})`;
    expect((await postUntil('bravo', 429)).answer.status).toBe(429);
  });
});

describe('Retry-After', () => {
  it('is told by what is before the own transmissions, not by what another organization has dumped', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 990, DUMPED);
    await workerAtWork(stack.api.context.db, 100);
    const { answer: dumped } = await post('mgt-one');
    const { answer: small } = await post('bravo');
    expect([dumped, small].map(retryAfterOf)).toEqual([10, 1]);
    expect(retryAfterOf(await look('bravo', small))).toBe(1);
    expect(retryAfterOf(await look('mgt-one', dumped))).toBe(10);
    // The insurer of a pool’s certificate waits for the pool’s work.
    expect(retryAfterOf(await look('alpha', dumped))).toBe(10);
  });

  it('counts vehicles, as the workers do', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 19, { ...DUMPED, vehicles: 500 });
    await workerAtWork(stack.api.context.db, 100);
    const { answer: dumped } = await post('mgt-one');
    const { answer: small } = await post('bravo');
    expect([dumped, small].map(retryAfterOf)).toEqual([10, 1]);
  });

  it('counts as much of every other organization as of the own', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1_000, DUMPED);
    await workerAtWork(stack.api.context.db, 1);
    let { answer } = await post('bravo');
    for (let sent = 1; sent < 5; sent += 1) ({ answer } = await post('bravo'));
    // Five of its own and five of the other, as soon as the API has looked at the backlog again.
    const told = async () => retryAfterOf(await look('bravo', answer));
    expect(await untilSeen(told, (seconds) => seconds === 10)).toBe(10);
  });
});
