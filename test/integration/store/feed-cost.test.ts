import pg from 'pg';
import { claim } from '../../../shared/store/intake/claim.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { registerBatch } from '../../../worker/register.ts';
import { type BodyChanges, makeBody, makePlainVehicle } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { CLAIM_OPTIONS, makeIdleWorker, noFailure } from '../../env/records/idle-worker.ts';

// What the change feed (D37) costs a batch. docs/change-feed.md has the figures.

let stack: Stack;
let worker: WorkerContext;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  worker = makeIdleWorker(stack.api.context);
});
afterAll(() => stack.stop());

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Registers so many certificates in one batch and returns the statements that it ran. */
async function statementsOfBatch(count: number, changes: BodyChanges): Promise<Statement[]> {
  for (let n = 0; n < count; n += 1) {
    const body = makeBody({ vehicles: [makePlainVehicle()], ...changes });
    const { status } = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    expect(status).toBe(202);
  }
  const { claimed } = await claim(worker.db, undefined, CLAIM_OPTIONS);
  expect(claimed).toHaveLength(count);
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await registerBatch(worker, claimed, noFailure);
    const calls = query.mock.calls as unknown as [string | Statement][];
    return calls.map(([sent]) => (typeof sent === 'string' ? { text: sent, values: [] } : sent));
  } finally {
    query.mockRestore();
  }
}

const writesFeed = ({ text }: Statement) => text.includes('INSERT INTO changes');

/** Runs a statement again, without a trace, and returns how many bytes it wrote to the log of the database. */
async function walBytesOf({ text, values }: Statement): Promise<number> {
  const client = new pg.Client(stack.config.databaseUrl);
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`, [...values]);
    await client.query('ROLLBACK');
    return rows[0]['QUERY PLAN'][0].Plan['WAL Bytes'];
  } finally {
    await client.end();
  }
}

it('a batch adds its changes with one statement, however many transmissions it has', async () => {
  const one = await statementsOfBatch(1, {});
  const many = await statementsOfBatch(40, {});
  expect(one.filter(writesFeed)).toHaveLength(1);
  expect(many.filter(writesFeed)).toHaveLength(1);
  expect(many).toHaveLength(one.length);
});

it.each<[string, BodyChanges, number, number]>([
  ['an insurer alone has two rows', {}, 2, 600],
  [
    'a pool has up to five, and costs more than the 600 bytes of the goal',
    { poolCode: 'POOL-NORTH', issuingInsurerCode: 'INS-BRAVO' },
    5,
    1_400,
  ],
])('a record of %s', async (_whose, changes, rows, bytes) => {
  const count = 50;
  const before = await worker.db.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM changes`;
  const [statement, ...others] = (await statementsOfBatch(count, changes)).filter(writesFeed);
  if (statement === undefined) throw new Error('the batch added nothing to the feed');
  expect(others).toEqual([]);
  const after = await worker.db.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM changes`;
  expect(((after[0]?.n ?? 0) - (before[0]?.n ?? 0)) / count).toBe(rows);
  const perTransmission = (await walBytesOf(statement)) / count;
  expect(perTransmission).toBeGreaterThan(100);
  expect(perTransmission).toBeLessThan(bytes);
});
