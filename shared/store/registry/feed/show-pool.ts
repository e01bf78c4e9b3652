import { Prisma } from '../../../db/generated/client.ts';
import { rowsWhere } from '../../../db/look-up.ts';
import type { Db, Tx } from '../../../db/prisma.ts';
import { CHANGE_TYPE_NUMBERS } from './change-types.ts';

/** A pool whose lead insurer or management company has changed. */
export interface PoolViewers {
  readonly poolId: string;
  /** The lead insurer and the management company that were one of both before. */
  readonly remainingIds: readonly string[];
  /** Those that were not. */
  readonly gainingIds: readonly string[];
}

/**
 * Notes that the gaining organizations need a RECORD_VISIBLE change for each record of the pool, and that others than these and the
 * remaining ones need no more. Workers add the changes (D87).
 *
 * The caller has locked the pool and changed it. A transaction that registers a record takes a share lock on the pool last. If it
 * had the lock before, it is committed by now, and the record gets a RECORD_VISIBLE change. Otherwise it sees the changed pool, and
 * gives its own change to the gaining organizations.
 */
export async function notePoolViewers(
  tx: Tx,
  { poolId, remainingIds, gainingIds }: PoolViewers,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM pools_to_show
    WHERE pool_id = ${poolId}::uuid AND organization_id <> ALL(${remainingIds}::uuid[])`;
  if (gainingIds.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO pools_to_show (pool_id, organization_id, last_sequence)
    SELECT ${poolId}::uuid, id, last_value FROM registry_sequence CROSS JOIN unnest(${gainingIds}::uuid[]) AS gaining (id)`;
}

/** A note of `notePoolViewers`, with the last record that was added. */
interface PoolToShow {
  readonly poolId: string;
  readonly organizationId: string;
  readonly lastSequence: string;
  readonly afterPolicyId: string;
  readonly afterCocNumber: string;
}

export interface ShownPortion extends Pick<PoolToShow, 'poolId' | 'organizationId'> {
  /** No record was left, and the note is gone. */
  readonly isDone: boolean;
}

/** Like `showPortion`, in a transaction of its own. */
export function showNextPortion(db: Db, recordsMax: number): Promise<ShownPortion | undefined> {
  return db.$transaction((tx) => showPortion(tx, recordsMax));
}

/**
 * Adds RECORD_VISIBLE changes for the next records of a noted pool, and moves the note in the same transaction, or removes it when
 * no record is left. So each record is added once, whatever ends this process. Undefined when nothing is noted, or other workers
 * hold all notes.
 *
 * A record that appears later in a place that the note has passed is not missed: its own change is in the feed.
 */
export async function showPortion(tx: Tx, recordsMax: number): Promise<ShownPortion | undefined> {
  const note = await lockNote(tx);
  if (note === undefined) return undefined;
  const { poolId, organizationId } = note;
  const last = await insertVisibleRecords(tx, note, recordsMax);
  const isNote = Prisma.sql`pool_id = ${poolId}::uuid AND organization_id = ${organizationId}::uuid`;
  if (last === undefined) await tx.$executeRaw`DELETE FROM pools_to_show WHERE ${isNote}`;
  else
    await tx.$executeRaw`
      UPDATE pools_to_show SET after_policy_id = ${last.policyId}::uuid, after_coc_number = ${last.cocNumber}
      WHERE ${isNote}`;
  return { poolId, organizationId, isDone: last === undefined };
}

/** Takes the note with the lowest position, so that a small pool does not wait for a large one. */
async function lockNote(tx: Tx): Promise<PoolToShow | undefined> {
  const [note] = await tx.$queryRaw<PoolToShow[]>`
    SELECT pool_id::text AS "poolId", organization_id::text AS "organizationId",
      last_sequence::text AS "lastSequence", after_policy_id::text AS "afterPolicyId",
      after_coc_number AS "afterCocNumber"
    FROM pools_to_show ORDER BY after_policy_id, after_coc_number LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return note;
}

/** The unique key of a record. */
interface RecordKey {
  readonly policyId: string;
  readonly cocNumber: string;
}

/**
 * Returns the last record of the portion; undefined when none was left. The issuing insurer and the transmitting organization of a
 * record saw it before and get no change.
 *
 * Each policy has a certificate, so the records of the portion are among those of as many policies and the one of the position.
 */
async function insertVisibleRecords(
  tx: Tx,
  { poolId, organizationId, lastSequence, afterPolicyId, afterCocNumber }: PoolToShow,
  recordsMax: number,
): Promise<RecordKey | undefined> {
  const isNext = Prisma.sql`policy_id = policy.id
    AND (policy_id, coc_number) > (${afterPolicyId}::uuid, ${afterCocNumber})`;
  const [last] = await tx.$queryRaw<RecordKey[]>`
    WITH portion AS MATERIALIZED (
      SELECT record.*
      FROM (
        SELECT id FROM policies WHERE pool_id = ${poolId}::uuid AND id >= ${afterPolicyId}::uuid
        ORDER BY id LIMIT ${recordsMax + 1}::int) AS policy
      CROSS JOIN ${rowsWhere('certificates', isNext)} AS record
      ORDER BY record.policy_id, record.coc_number LIMIT ${recordsMax}::int
    ), added AS (
      INSERT INTO changes (organization_id, certificate_id, type, version)
      SELECT ${organizationId}::uuid, id, ${CHANGE_TYPE_NUMBERS.RECORD_VISIBLE}::smallint, current_version
      FROM portion
      WHERE sequence <= ${lastSequence}::text::bigint
        AND ${organizationId}::uuid NOT IN (issuing_insurer_id, transmitting_organization_id)
      ORDER BY policy_id, coc_number)
    SELECT policy_id::text AS "policyId", coc_number AS "cocNumber"
    FROM portion ORDER BY policy_id DESC, coc_number DESC LIMIT 1`;
  return last;
}
