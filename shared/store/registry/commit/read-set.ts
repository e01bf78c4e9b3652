import { Prisma } from '../../../db/generated/client.ts';
import type { Tx } from '../../../db/prisma.ts';
import type { ReadSet, Revision } from '../../../domain/registration/writes.ts';

/** Another worker has claimed the transmission after its lease ended: this worker must write nothing. */
export class FenceLost extends Error {
  override readonly name = 'FenceLost';

  constructor() {
    super('another worker has claimed the transmission');
  }
}

/** Another transaction has changed or is changing a row that the decision depends on: the worker must decide again. */
export class StaleRead extends Error {
  override readonly name = 'StaleRead';

  constructor() {
    super('a row that the decision depends on has changed');
  }
}

/**
 * Locks the transmissions if this worker still holds them. The fence is the fencing token of a claim: each claim of a
 * transmission increments it, so a worker that was slow or paused cannot write after another worker has claimed the row.
 */
export async function requireFence(
  tx: Tx,
  transmissions: readonly { readonly id: string; readonly fence: number }[],
): Promise<void> {
  const revision = Prisma.sql`CASE WHEN status = 'VALIDATING' THEN fence::text END`;
  const rows = transmissions.map(({ id, fence }) => ({ id, revision: String(fence) }));
  const isUnchanged = await lockRows(tx, {
    table: Prisma.sql`transmissions`,
    revision,
    lock: Prisma.sql`FOR NO KEY UPDATE`,
    rows,
  });
  if (!isUnchanged) throw new FenceLost();
}

/**
 * Locks the rows that the decisions depend on until the transaction ends, if none has changed since it was read.
 *
 * Every transaction that writes records takes its locks in this order, so that no deadlock can arise:
 * 1. A change locks its record, and the policy if its details may change (`lockRecord`).
 * 2. The transmissions, in the order of ids (`requireFence`). Nobody who holds one waits for step 1: only changes lock records,
 *    and the worker that holds the transmission of a change has its record already.
 * 3. The certificates of the read set, then its policies, then its vehicles, each in the order of ids. A change does not wait
 *    for certificates, because it holds one already: two changes might wait for each other. A certificate that another change
 *    has locked counts as changed.
 * 4. New identifiers, then existing ones, each in the order of keys (`reserveIdentifiers`).
 * 5. New policies, then new certificates, each in the order of the unique key.
 * All other statements touch rows that are locked by then, rows that the transaction has inserted, or rows that belong to its
 * record. Other writers of transmissions skip locked rows or lock a single one.
 */
export async function lockIfUnchanged(
  tx: Tx,
  readSet: ReadSet,
  { isChange }: { readonly isChange: boolean },
): Promise<void> {
  const revision = Prisma.sql`xmin::text`;
  const tables = [
    {
      table: Prisma.sql`certificates`,
      lock: isChange ? Prisma.sql`FOR SHARE SKIP LOCKED` : Prisma.sql`FOR SHARE`,
      rows: readSet.certificates,
    },
    { table: Prisma.sql`policies`, lock: Prisma.sql`FOR KEY SHARE`, rows: readSet.policies },
    { table: Prisma.sql`vehicles`, lock: Prisma.sql`FOR NO KEY UPDATE`, rows: readSet.vehicles },
  ];
  for (const one of tables) {
    if (!(await lockRows(tx, { ...one, revision }))) throw new StaleRead();
  }
  await touchVehicles(tx, readSet.conflictingVehicleIds);
}

interface RowLock {
  readonly table: Prisma.Sql;
  /** The expression that changes with each relevant change of the row. */
  readonly revision: Prisma.Sql;
  readonly lock: Prisma.Sql;
  readonly rows: readonly Revision[];
}

/** Locks the rows in the order of their ids. False when one has another revision. Each row is looked up by its primary key. */
async function lockRows(tx: Tx, { table, revision, lock, rows }: RowLock): Promise<boolean> {
  if (rows.length === 0) return true;
  const unique = new Map(rows.map((row) => [row.id, row]));
  const ordered = [...unique.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT row.id
    FROM unnest(${ordered.map(({ id }) => id)}::uuid[], ${ordered.map((row) => row.revision)}::text[])
      AS read (id, revision)
    CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE id = read.id AND ${revision} = read.revision LIMIT 1 ${lock}) AS row`;
  return locked.length === ordered.length;
}

/** Gives conflicting vehicles (D10) a new revision, so that concurrent decisions about them fail with StaleRead. */
async function touchVehicles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`UPDATE vehicles SET updated_at = updated_at WHERE id = ANY(${ids}::uuid[])`;
}
