import type { TransmissionKind } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { firstOfEach, isNotParked, waitingOrganizations } from './waiting.ts';
import { COST, PLACES, WORK } from './work.ts';

// The moves of a transmission that is in progress. Leases, pauses and sweeps go by the database's clock,
// which all workers share; only RECEIVED and VALIDATING rows move (D2).

/** A transmission in the hands of one worker. A writer whose `fence` is no longer the row's changes nothing. */
export interface TakenTransmission {
  readonly id: string;
  readonly fence: number;
  readonly failures: number;
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  /** Its vehicles, or what a change of a record counts as: what organizations have equal shares of. */
  readonly work: number;
  /** What a worker needs for it, in certificates of one vehicle. */
  readonly cost: number;
  readonly organizationId: string;
  readonly apiClientId: string | null;
  readonly bodySealed: Uint8Array;
  readonly unknownFields: readonly string[];
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly targetCertificateId: string | null;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** What the reference of its record is made of, should it be registered (D13); null for a change of a record. */
  readonly registrySequence: number | null;
}

export interface TakeOptions {
  readonly leaseSeconds: number;
  /** Others that wait are taken along, up to so many transmissions. */
  readonly transmissionsMax: number;
  /** And up to so many vehicles in all, but for one that is larger than a share. */
  readonly vehiclesMax: number;
  /** Nothing is taken along of these. */
  readonly exceptOrganizationIds?: readonly string[];
}

/**
 * A transmission that was taken so often without an end or an error kills its workers; it is taken no more and
 * parked. Well above what a few killed workers do to an innocent one.
 */
export const ATTEMPTS_MAX = 25;

const T = Prisma.sql`t`;

/**
 * The transmissions of one record keep their order of receipt: this row waits for another. By its order only the index
 * by record serves it, whatever the planner thinks of those that wait.
 */
const comesAfterAnother = (row: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  ${row}.target_certificate_id IS NOT NULL AND EXISTS (
    SELECT FROM transmissions earlier
    WHERE earlier.target_certificate_id BETWEEN ${row}.target_certificate_id AND ${row}.target_certificate_id
      AND earlier.sequence < ${row}.sequence
      AND earlier.status IN ('RECEIVED', 'VALIDATING') AND ${isNotParked(Prisma.sql`earlier`)}
    ORDER BY earlier.target_certificate_id, earlier.sequence LIMIT 1))`;

/** What one look at the backlog brought. */
export interface Taking {
  readonly taken: readonly TakenTransmission[];
  /**
   * Others may wait whose wake-ups found them locked by this look or behind another of their record, or will find
   * nothing: who took this must look again, or they wait for the sweeper.
   */
  readonly mayGoOn: boolean;
  /** All that waited and could be taken. */
  readonly isAll: boolean;
}

/**
 * RECEIVED → VALIDATING, committed, with a new fencing number: the transmission asked for and others that wait. A row
 * doesn't come that another worker holds, that is not due, parked or terminal, or that comes after another one of its
 * record. Then, and without an id, it is the others alone: a worker whose wake-ups are all for what others took before it
 * takes its part all the same.
 *
 * The others come from every organization that waits, each in its order of receipt and with an equal share of the
 * vehicles, changes of records among them: what one of them dumps delays the next one by a share, not by the dump.
 * What comes first of an organization and is larger than its share is taken by chance, as often as shares amount to it:
 * nobody starves.
 */
export async function take(db: Db, id: string | undefined, options: TakeOptions): Promise<Taking> {
  const { leaseSeconds, transmissionsMax, vehiclesMax, exceptOrganizationIds = [] } = options;
  const rows = await db.$queryRaw<(TakenRow & { others: number; full_shares: number })[]>`
    WITH RECURSIVE asked AS (
      SELECT id, ${PLACES} AS places, ${WORK} AS work FROM transmissions t
      WHERE id = ${id ?? null}::uuid AND status IN ('RECEIVED', 'VALIDATING')
        AND due_at <= now() AND parked_at IS NULL AND attempts < ${ATTEMPTS_MAX}
        AND NOT ${comesAfterAnother(T)}
      FOR UPDATE SKIP LOCKED
    ), ${waitingOrganizations(exceptOrganizationIds)}, share AS MATERIALIZED (
      SELECT ceil(${transmissionsMax}::numeric / greatest(count(*), 1))::int AS transmissions,
        ${vehiclesMax}::float8 / greatest(count(*), 1) AS work
      FROM organizations
    ), others AS MATERIALIZED (
      SELECT one.*, sum(one.work) OVER in_order AS turn,
        row_number() OVER in_order = 1 AND one.work > (SELECT work FROM share)
          AND random() * one.work < (SELECT work FROM share) AS is_due
      FROM organizations, LATERAL (
        SELECT id, organization_id, sequence, target_certificate_id, ${PLACES} AS places, ${WORK} AS work
        FROM transmissions t
        ${firstOfEach(
          Prisma.sql`due_at <= now() AND ${isNotParked(T)} AND id IS DISTINCT FROM ${id ?? null}::uuid`,
          Prisma.sql`(SELECT transmissions FROM share)`,
        )}
        FOR UPDATE SKIP LOCKED) AS one
      -- After the limit: what an organization sends about one record delays it alone.
      WHERE NOT ${comesAfterAnother(Prisma.sql`one`)}
      WINDOW in_order AS (PARTITION BY one.organization_id ORDER BY one.sequence)
    ), chosen AS (
      SELECT id FROM asked
      UNION ALL
      SELECT id FROM (
        SELECT id, row_number() OVER fairly AS rank, sum(places) OVER fairly AS places,
          -- What is due may be the last to begin before the batch is full.
          CASE WHEN is_due THEN sum(work) OVER fairly - work + 1 ELSE sum(work) OVER fairly END AS work
        FROM others WINDOW fairly AS (ORDER BY CASE WHEN is_due THEN 0 ELSE turn END, sequence)) AS ranked
      WHERE (places <= ${transmissionsMax} - coalesce((SELECT places FROM asked), 0)
          AND work <= ${vehiclesMax} - coalesce((SELECT work FROM asked), 0))
        OR (rank = 1 AND NOT EXISTS (SELECT FROM asked))
    )
    UPDATE transmissions t SET
      status = 'VALIDATING',
      fence = t.fence + 1,
      attempts = t.attempts + 1,
      due_at = now() + make_interval(secs => ${leaseSeconds}),
      sweep_at = now() + make_interval(secs => ${leaseSeconds})
    -- An array, so that the rows are found by their ids however many the planner expects: it can't know the limits.
    WHERE t.id = ANY(ARRAY(SELECT id FROM chosen))
    RETURNING t.id, t.fence, t.failures, t.transmission_reference, t.external_transaction_id, t.kind, ${WORK} AS work,
      ${COST} AS cost, t.organization_id, t.api_client_id, t.body_sealed, t.unknown_fields, t.policy_number, t.coc_number,
      t.target_certificate_id, t.request_id, t.received_at, t.sequence,
      CASE t.kind WHEN 'CREATE' THEN nextval('registry_sequence') END AS registry_sequence,
      (SELECT count(*)::int FROM others) AS others,
      (SELECT count(*)::int FROM (
        SELECT FROM others GROUP BY organization_id HAVING count(*) >= (SELECT transmissions FROM share)) AS full_share
      ) AS full_shares`;
  rows.sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
  const mayGoOn = rows.some(({ others, kind }) => others > 0 || kind !== 'CREATE');
  const takenAlong = rows.filter((row) => row.id !== id).length;
  const isAll = rows.every((row) => row.others === takenAlong && row.full_shares === 0);
  return { taken: rows.map(takenOf), mayGoOn, isAll };
}

interface TakenRow {
  id: string;
  fence: number;
  failures: number;
  transmission_reference: string;
  external_transaction_id: string;
  kind: TransmissionKind;
  work: number;
  cost: number;
  organization_id: string;
  api_client_id: string | null;
  body_sealed: Uint8Array;
  unknown_fields: string[];
  policy_number: string | null;
  coc_number: string | null;
  target_certificate_id: string | null;
  request_id: string;
  received_at: Date;
  sequence: bigint;
  registry_sequence: bigint | null;
}

function takenOf(row: TakenRow): TakenTransmission {
  return {
    id: row.id,
    fence: row.fence,
    failures: row.failures,
    transmissionReference: row.transmission_reference,
    externalTransactionId: row.external_transaction_id,
    kind: row.kind,
    work: row.work,
    cost: row.cost,
    organizationId: row.organization_id,
    apiClientId: row.api_client_id,
    bodySealed: row.body_sealed,
    unknownFields: row.unknown_fields,
    policyNumber: row.policy_number,
    cocNumber: row.coc_number,
    targetCertificateId: row.target_certificate_id,
    requestId: row.request_id,
    receivedAt: row.received_at,
    registrySequence: row.registry_sequence === null ? null : Number(row.registry_sequence),
  };
}

/** What waits longest and can be taken; empty when nothing does. `takings` is how often it was taken. */
export async function findLongestWaiting(
  db: Db,
): Promise<{ id: string; requestId: string; takings: number }[]> {
  return db.$queryRaw<{ id: string; requestId: string; takings: number }[]>`
    WITH RECURSIVE ${waitingOrganizations()}
    SELECT one.id, one.request_id AS "requestId", one.attempts AS takings FROM organizations, LATERAL (
      SELECT id, request_id, attempts, sequence FROM transmissions t
      ${firstOfEach(
        Prisma.sql`due_at <= now() AND ${isNotParked(T)} AND NOT ${comesAfterAnother(T)}`,
        Prisma.sql`1`,
      )}) AS one
    ORDER BY one.sequence LIMIT 1`;
}

/** A held transmission whose processing failed for a fault of ours. */
export interface Failure {
  readonly id: string;
  readonly fence: number;
  /** For the staff: no personal data, no secrets. */
  readonly reason: string;
  /** Undefined parks it: it stays in progress until staff send it again. */
  readonly retryInSeconds: number | undefined;
}

/** Gives a transmission back after a fault of ours; it never becomes REJECTED for that (D2). */
export async function giveBack(
  db: Db,
  { id, fence, reason, retryInSeconds }: Failure,
): Promise<void> {
  await db.$executeRaw`
    UPDATE transmissions SET
      failures = failures + 1,
      last_error = ${reason},
      due_at = now() + make_interval(secs => ${retryInSeconds ?? 0}),
      sweep_at = now() + make_interval(secs => ${retryInSeconds ?? 0}),
      parked_at = CASE WHEN ${retryInSeconds === undefined} THEN now() END
    WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'VALIDATING'`;
}

/** After so many seconds a swept row is looked at again. */
const RESWEEP_SECONDS = 15;
/** Waiting so long makes a row more urgent, and so does each doubling of it. */
const URGENT_SECONDS = 20;
export interface Swept {
  readonly id: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly parked: boolean;
  /** From 0; grows with the logarithm of its age. */
  readonly urgency: number;
}

/**
 * Transmissions in progress whose wake-up may be lost, the longest waiting first; each is left alone for a
 * while after. The limits bound the pass, for those that were taken and for those that were not: what a dead worker
 * held does not wait behind a backlog.
 */
export async function sweep(
  db: Db,
  { takenMax, waitingMax }: { readonly takenMax: number; readonly waitingMax: number },
): Promise<Swept[]> {
  return db.$queryRaw<Swept[]>`
    UPDATE transmissions t SET
      sweep_at = now() + make_interval(secs => ${RESWEEP_SECONDS}),
      parked_at = CASE WHEN attempts >= ${ATTEMPTS_MAX} THEN now() END,
      last_error = CASE WHEN attempts >= ${ATTEMPTS_MAX}
        THEN 'its workers ended without a result, ' || attempts || ' times' ELSE last_error END
    -- An array, for the same reason as in take().
    WHERE t.id = ANY(
      ARRAY(
        SELECT id FROM transmissions WHERE status = 'VALIDATING' AND parked_at IS NULL AND sweep_at <= now()
        ORDER BY sweep_at LIMIT ${takenMax} FOR UPDATE SKIP LOCKED)
      || ARRAY(
        -- A range: that of the index by organization doesn't follow from it, and only that by time of sweep has its order.
        SELECT id FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND status BETWEEN 'RECEIVED' AND 'RECEIVED' AND parked_at IS NULL
          AND sweep_at <= now()
        ORDER BY status, sweep_at LIMIT ${waitingMax} FOR UPDATE SKIP LOCKED))
    RETURNING t.id, t.request_id AS "requestId", t.attempts, t.parked_at IS NOT NULL AS parked,
      greatest(0, 1 + floor(log(2, greatest(extract(epoch FROM now() - t.recorded_at), 1)::numeric / ${URGENT_SECONDS}))::int)
        AS urgency`;
}
