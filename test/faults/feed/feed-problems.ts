import type { ChangeItem } from '../../../shared/contract/machine/changes.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { REGULATOR_FEED } from '../../../shared/store/registry/feed/change-types.ts';
import { readCursor } from '../../../shared/store/registry/feed/feed-cursor.ts';
import { checkReader } from '../../env/feed/feed-oracle.ts';

const PROBLEMS_MAX = 5;

/** Terminal transmissions and reviewed flags that are not exactly once in the regulator's feed, and changes of anything else. */
export async function findUncommitted(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ problem: string }[]>`
    WITH committed AS (
      SELECT id FROM transmissions WHERE status IN ('ACCEPTED', 'FLAGGED', 'REJECTED')
      UNION ALL SELECT id FROM flags WHERE reviewed_at IS NOT NULL
    ), fed AS (
      SELECT coalesce(transmission_id, flag_id) AS id, count(*)::int AS times FROM changes
      WHERE organization_id = ${REGULATOR_FEED}::uuid GROUP BY 1
    )
    SELECT coalesce(committed.id, fed.id) || CASE WHEN committed.id IS NULL THEN ' did not commit' ELSE ' committed' END
      || ' and is ' || coalesce(times, 0) || ' times in the feed' AS problem
    FROM committed FULL JOIN fed ON fed.id = committed.id
    WHERE committed.id IS NULL OR coalesce(times, 0) <> 1 LIMIT ${PROBLEMS_MAX}`;
  return rows.map(({ problem }) => problem);
}

/** The positions of a feed's changes in its order, as the database stores them. */
export async function readStoredFeed(db: Db, feed: string): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ position: string }[]>`
    SELECT changes.xid::text || '/' || changes.seq AS position FROM changes
    WHERE organization_id = ${feed}::uuid ORDER BY changes.xid, changes.seq`;
  return rows.map(({ position }) => position);
}

/** What a reader read wrongly after `start`. */
export function findReadProblems(
  stored: readonly string[],
  start: string | undefined,
  cursors: readonly string[],
): string[] {
  const first = start === undefined ? 0 : stored.indexOf(positionOf(start)) + 1;
  return checkReader({ expected: stored.slice(first), read: cursors.map(positionOf) });
}

function positionOf(cursor: string): string {
  const read = readCursor(cursor);
  if (read === undefined) throw new Error(`${cursor} is no cursor`);
  return `${read.position.xid}/${read.position.seq}`;
}

/** Records whose version or cancellation differs from what a mirror of all changes says. */
export async function findMirrorProblems(db: Db, items: readonly ChangeItem[]): Promise<string[]> {
  const mirrored = new Map<string, string>();
  for (const [reference, changes] of groupByRecord(items)) {
    const version = Math.max(...changes.map((change) => change.version ?? 0));
    const isCancelled = changes.some(({ type }) => type === 'RECORD_CANCELLED');
    mirrored.set(reference, describe(version, isCancelled));
  }
  const records = await db.certificate.findMany({
    select: { registryReference: true, currentVersion: true, lifecycle: true },
  });
  const stored = new Map(
    records.map(({ registryReference, currentVersion, lifecycle }) => [
      registryReference,
      describe(currentVersion, lifecycle === 'CANCELLED'),
    ]),
  );
  return [...new Set([...stored.keys(), ...mirrored.keys()])]
    .filter((reference) => stored.get(reference) !== mirrored.get(reference))
    .slice(0, PROBLEMS_MAX)
    .map((one) => `${one} is ${stored.get(one)} and was mirrored as ${mirrored.get(one)}`);
}

function groupByRecord(items: readonly ChangeItem[]): Map<string, ChangeItem[]> {
  const groups = new Map<string, ChangeItem[]>();
  for (const item of items) {
    if (item.registryReference === null) continue;
    const group = groups.get(item.registryReference) ?? [];
    group.push(item);
    groups.set(item.registryReference, group);
  }
  return groups;
}

function describe(version: number, isCancelled: boolean): string {
  return `version ${version}${isCancelled ? ', cancelled' : ''}`;
}
