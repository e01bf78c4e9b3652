import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeItem, ChangesPage } from '../../../shared/contract/machine/changes.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import type { RecordWorld } from '../records/record-world.ts';
import { untilSeen } from '../server-timeouts.ts';

type Reader = Pick<RecordWorld, 'get' | 'db'>;

const POLL_INTERVAL_MS = 10;

/** Waits until everything that is committed now can be read. Transactions of other databases of the server hold it back, too. */
export async function untilReadable(db: Pick<Db, '$queryRaw'>): Promise<void> {
  const [drawn] = await db.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`;
  for (;;) {
    const [row] = await db.$queryRaw<{ isReadable: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${drawn?.id}::text::xid8 AS "isReadable"`;
    if (row?.isReadable === true) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Waits until workers have added the records of all pools that have changed to the feeds of those who see them now (D87). */
export async function untilPoolsShown(db: Pick<Db, 'poolToShow'>): Promise<void> {
  const left = await untilSeen(
    () => db.poolToShow.count(),
    (pools) => pools === 0,
  );
  if (left > 0) throw new Error(`${left} pools are not yet shown`);
}

/** Reads one page of a client's feed; throws when the answer is not 200. `query` has no leading `?`. */
export async function readPage(world: Reader, client: string, query = ''): Promise<ChangesPage> {
  const { status, envelope, text } = await world.get(client, `/ppai/changes?${query}`);
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as ChangesPage;
}

/** Reads a client's feed to its end, page by page. */
export async function readFeed(
  world: Reader,
  client: string,
  { after, query = '' }: { readonly after?: string; readonly query?: string } = {},
): Promise<ChangeItem[]> {
  await untilReadable(world.db);
  const items: ChangeItem[] = [];
  let cursor = after;
  for (;;) {
    const from = cursor === undefined ? '' : `after=${cursor}&`;
    const page = await readPage(world, client, `${from}${query}`);
    items.push(...page.items);
    cursor = page.next;
    if (page.caughtUp) return items;
  }
}

/** The cursor behind everything that a client can read now. */
export async function cursorOf(world: Reader, client: string): Promise<string> {
  await untilReadable(world.db);
  return (await readPage(world, client, 'after=now')).next;
}
