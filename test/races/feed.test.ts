import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '../../shared/db/prisma.ts';
import {
  FEED_START,
  type FeedPosition,
  scanChanges,
} from '../../shared/store/registry/feed/scan-changes.ts';
import { makeBody } from '../env/api/bodies.ts';
import { type Stack, startStack } from '../env/api/stack.ts';
import { checkReader } from '../env/feed/feed-oracle.ts';
import { untilReadable } from '../env/feed/feed-reader.ts';
import { type WriterWorld, type Written, writeUntil } from '../env/feed/feed-writers.ts';

// The change feed misses nothing and repeats nothing while 16 writers commit in any order (D37).

const WRITE_MS = 10_000;
const COMMITTED_MIN = 250;
const PAGE_MAX = 20;
const PAUSE_MS_MAX = 20;
const RECORDS = 6;

let stack: Stack;
let db: Db;
let world: WriterWorld;
beforeAll(async () => {
  stack = await startStack();
  const sent = [];
  for (let made = 0; made < RECORDS; made += 1)
    sent.push(await stack.transmit('alpha', makeBody()));
  expect(sent.map(({ status }) => status)).toEqual(Array(RECORDS).fill(201));
  await stack.stopWorkers();
  const { databaseUrl } = stack.config;
  db = openDb({ databaseUrl, poolMax: 24, applicationName: 'feed-test' });
  const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-ALPHA' } });
  const certificates = await db.certificate.findMany({ select: { id: true } });
  const certificateIds = certificates.map((one) => one.id);
  world = { db, keyring: stack.api.context.keyring, organizationId: id, certificateIds };
});
afterAll(async () => {
  await db.$disconnect();
  await stack.stop();
});

/** Reads the rows after a position; `read` says up to where. */
type ReadRows = (after: FeedPosition, limit: number) => Promise<readonly FeedPosition[]>;

const nameOf = ({ xid, seq }: FeedPosition) => `${xid}/${seq}`;
const viewer = () => ({
  organizationId: world.organizationId,
  organizationCode: 'INS-ALPHA',
  isRegulator: false,
});

const byHorizon: ReadRows = async (after, limit) =>
  (await scanChanges(db, viewer(), after, limit)).changes;

interface Row {
  readonly xid: string;
  readonly seq: string;
}
const positions = (rows: readonly Row[]) =>
  rows.map((row) => ({ xid: BigInt(row.xid), seq: BigInt(row.seq) }));

/** A control: remembers the highest sequence number. */
const bySequence: ReadRows = async ({ seq }, limit) =>
  positions(
    await db.$queryRaw<Row[]>`
      SELECT changes.xid::text AS xid, changes.seq::text AS seq FROM changes
      WHERE organization_id = ${world.organizationId}::uuid AND changes.seq > ${String(seq)}::text::bigint
      ORDER BY changes.seq LIMIT ${limit}`,
  );

/** A control: reads the rows first, and the horizon with another statement. */
const byTwoStatements: ReadRows = async (after, limit) => {
  const rows = await db.$queryRaw<Row[]>`
    SELECT changes.xid::text AS xid, changes.seq::text AS seq FROM changes
    WHERE organization_id = ${world.organizationId}::uuid
      AND (changes.xid, changes.seq) > (${String(after.xid)}::text::xid8, ${String(after.seq)}::text::bigint)
    ORDER BY changes.xid, changes.seq LIMIT ${limit}`;
  const [horizon] = await db.$queryRaw<{ oldest: string }[]>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`;
  return positions(rows).filter(({ xid }) => xid < BigInt(horizon?.oldest ?? 0));
};

/** Follows the feed until the writers have ended and nothing is left. Sometimes it resumes from an older place, as after a crash. */
async function follow(
  readRows: ReadRows,
  state: { hasEnded: boolean },
  options: { readonly mayCrash: boolean },
): Promise<FeedPosition[]> {
  const read: FeedPosition[] = [];
  for (;;) {
    const isLast = state.hasEnded;
    const limit = 1 + Math.floor(Math.random() * PAGE_MAX);
    const rows = await readRows(read.at(-1) ?? FEED_START, limit);
    read.push(...rows);
    if (rows.length === 0 && isLast) return read;
    if (!isLast && options.mayCrash && Math.random() < 0.03)
      read.splice(Math.floor(Math.random() * read.length));
    await sleep(Math.random() * PAUSE_MS_MAX);
  }
}

it('gives three readers every committed change once, in one order, and catches two wrong readers', async () => {
  const state = { hasEnded: false };
  const following = Promise.all([
    ...[1, 2, 3].map(() => follow(byHorizon, state, { mayCrash: true })),
    follow(bySequence, state, { mayCrash: false }),
    follow(byTwoStatements, state, { mayCrash: false }),
  ]);
  const written = await writeUntil(world, {
    endsAt: performance.now() + WRITE_MS,
    committedMin: COMMITTED_MIN,
  });
  await untilReadable(db);
  state.hasEnded = true;
  const [first, second, third, sequence, twoStatements] = await following;
  const stored = await storedChanges();
  const expected = stored.map(nameOf);
  const problemsOf = (read: readonly FeedPosition[] = []) =>
    checkReader({ expected, read: read.map(nameOf) });

  requireCommitted(stored, written);
  expect(written.committed.size).toBeGreaterThanOrEqual(COMMITTED_MIN);
  expect(written.rolledBack.size).toBeGreaterThan(5);
  expect([first, second, third].map(problemsOf)).toEqual([[], [], []]);
  expect(problemsOf(sequence)).toContain('missed');
  expect(problemsOf(twoStatements)).toContain('missed');
});

interface Stored extends FeedPosition {
  readonly id: string;
}

async function storedChanges(): Promise<Stored[]> {
  const rows = await db.$queryRaw<(Row & { id: string })[]>`
    SELECT changes.xid::text AS "xid", changes.seq::text AS "seq", coalesce(transmission_id, flag_id)::text AS id
    FROM changes WHERE organization_id = ${world.organizationId}::uuid ORDER BY changes.xid, changes.seq`;
  return rows.map(({ xid, seq, id }) => ({ xid: BigInt(xid), seq: BigInt(seq), id }));
}

/** The table has what the writers committed, each once, and nothing else but the records of the beginning. */
function requireCommitted(stored: readonly Stored[], { committed, rolledBack }: Written): void {
  const ids = stored.map(({ id }) => id);
  expect(ids).toHaveLength(committed.size + RECORDS);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...committed].filter((id) => !ids.includes(id))).toEqual([]);
  expect([...rolledBack].filter((id) => ids.includes(id))).toEqual([]);
}
