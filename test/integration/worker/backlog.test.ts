import { STALLED_SECONDS } from '../../../shared/store/intake/backlog.ts';
import { fillBacklog, reportBusyWorker } from '../../env/api/backlog.ts';
import { makeBody } from '../../env/api/bodies.ts';
import type { TestAnswer } from '../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { untilSeen } from '../../env/server-timeouts.ts';

const AGE_MAX_SECONDS = 60;
const TOO_OLD = { kind: 'CREATE', ageSeconds: AGE_MAX_SECONDS + 1 } as const;
/** Old enough that Retry-After depends on the rate of the workers. */
const BULK_LOAD = { kind: 'CREATE', ageSeconds: 10 } as const;

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

/** Looks up the transmission that a POST recorded. */
function lookUp(client: string, { headers }: TestAnswer): Promise<TestAnswer> {
  return stack.get(client, String(headers['location']).replace('/api/v1', ''));
}

/** Posts until the API has read the backlog again and answers with this status. */
function postUntil(client: keyof typeof INSURERS, status: number) {
  return untilSeen(
    () => post(client),
    ({ answer }) => answer.status === status,
    50,
  );
}

describe('a backlog too old to be useful (D20)', () => {
  it('refuses new transmissions without recording them and answers known ones, until it is processed', async () => {
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

  it('refuses only the organization that caused it while workers claim', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 100, TOO_OLD);
    await reportBusyWorker(stack.api.context.db, 10);
    expect((await postUntil('mgt-one', 429)).answer.status).toBe(429);
    expect((await post('bravo')).answer.status).toBe(202);
  });

  it('refuses every organization while no worker claims', async () => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1, TOO_OLD);
    await reportBusyWorker(stack.api.context.db, 10);
    expect((await post('bravo')).answer.status).toBe(202);
    await db.$executeRaw`
      UPDATE worker_processes SET last_taken_at = now() - make_interval(secs => ${STALLED_SECONDS + 1})`;
    expect((await postUntil('bravo', 429)).answer.status).toBe(429);
  });
});

describe('Retry-After', () => {
  it('is estimated from the work ahead of the caller, not from the bulk load of another', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 990, BULK_LOAD);
    await reportBusyWorker(stack.api.context.db, 100);
    const { answer: bulk } = await post('mgt-one');
    const { answer: small } = await post('bravo');
    expect([bulk, small].map(retryAfterOf)).toEqual([10, 1]);
    expect(retryAfterOf(await lookUp('bravo', small))).toBe(1);
    expect(retryAfterOf(await lookUp('mgt-one', bulk))).toBe(10);
    // The insurer of a pool’s certificate also waits for the pool’s work.
    expect(retryAfterOf(await lookUp('alpha', bulk))).toBe(10);
  });

  it('counts vehicles, as the workers do', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 19, { ...BULK_LOAD, vehicles: 500 });
    await reportBusyWorker(stack.api.context.db, 100);
    const { answer: bulk } = await post('mgt-one');
    const { answer: small } = await post('bravo');
    expect([bulk, small].map(retryAfterOf)).toEqual([10, 1]);
  });

  it('counts at most as much work of each other organization as of the caller’s own', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1_000, BULK_LOAD);
    await reportBusyWorker(stack.api.context.db, 1);
    let { answer } = await post('bravo');
    for (let sent = 1; sent < 5; sent += 1) ({ answer } = await post('bravo'));
    // Five of its own and five of the other, once the API has read the backlog again.
    const readRetryAfter = async () => retryAfterOf(await lookUp('bravo', answer));
    expect(await untilSeen(readRetryAfter, (seconds) => seconds === 10)).toBe(10);
  });
});
