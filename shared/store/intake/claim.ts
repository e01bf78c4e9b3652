import type { TransmissionKind } from '../../contract/enums.ts';
import type { OutcomeScenario } from '../../contract/machine/sandbox/scenario.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { IS_RANKED } from './fair-rank.ts';
import { COST, PLACES, WORK } from './work.ts';

/** A transmission that one worker processes. A writer whose `fence` is no longer that of the row changes nothing. */
export interface ClaimedTransmission {
  readonly id: string;
  /** The fencing token of this claim: each claim of a transmission increments it. */
  readonly fence: number;
  readonly failures: number;
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  /** The work of a worker, in certificates of one vehicle. */
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
  /** The number of its record if it is registered (D13); null for a change of a record. */
  readonly registrySequence: number | null;
  /** The outcome that the sender asked for in the sandbox (D40). The claim does not read it. */
  readonly scenario?: OutcomeScenario | undefined;
}

export interface ClaimOptions {
  /** How long other workers leave the claimed transmissions alone. */
  readonly leaseSeconds: number;
  /** The most transmissions of one claim; a change of a record counts as several. */
  readonly transmissionsMax: number;
  /** The most vehicles of one claim; a first transmission with more is claimed alone. */
  readonly vehiclesMax: number;
}

export interface Claim {
  /** By fair rank, the named transmission first. Empty when no transmission can be claimed. */
  readonly claimed: readonly ClaimedTransmission[];
  /** The first transmission beyond the limits. It was locked meanwhile, so another worker may have missed it. */
  readonly leftId: string | null;
}

/** A transmission that was claimed this often without a result kills its workers: the sweeper parks it. */
export const ATTEMPTS_MAX = 25;

/** A record's changes are processed in the order of receipt (D14). The ORDER BY makes the planner use the index by record. */
const WAITS_FOR_EARLIER_CHANGE = Prisma.sql`(
  t.target_certificate_id IS NOT NULL AND EXISTS (
    SELECT FROM transmissions earlier
    WHERE earlier.target_certificate_id = t.target_certificate_id AND earlier.sequence < t.sequence
      AND earlier.status IN ('RECEIVED', 'VALIDATING') AND coalesce(earlier.parked_at, 'infinity') = 'infinity'
    ORDER BY earlier.target_certificate_id, earlier.sequence LIMIT 1))`;

const COLUMNS = Prisma.sql`
  t.id, t.fence, t.failures, t.transmission_reference AS "transmissionReference",
  t.external_transaction_id AS "externalTransactionId", t.kind, ${COST} AS cost,
  t.organization_id AS "organizationId", t.api_client_id AS "apiClientId", t.body_sealed AS "bodySealed",
  t.unknown_fields AS "unknownFields", t.policy_number AS "policyNumber", t.coc_number AS "cocNumber",
  t.target_certificate_id AS "targetCertificateId", t.request_id AS "requestId", t.received_at AS "receivedAt",
  CASE t.kind WHEN 'CREATE' THEN nextval('registry_sequence')::float8 END AS "registrySequence"`;

/**
 * Claims the transmission `id`, and waiting ones by fair rank up to the limits: RECEIVED → VALIDATING, committed, with a new
 * fence. The transmission `id` may also be one that is due for a retry or whose lease has ended. It is not claimed, and the
 * others are claimed without it, if another worker holds it, it is not due, it is parked or terminal, or an earlier change of
 * its record is in progress. Two claims at the same time skip each other's rows.
 */
export async function claim(
  db: Db,
  id: string | undefined,
  { leaseSeconds, transmissionsMax, vehiclesMax }: ClaimOptions,
): Promise<Claim> {
  const fits = Prisma.sql`(position = 1 OR (places <= ${transmissionsMax} AND work <= ${vehiclesMax}))`;
  const rows = await db.$queryRaw<(ClaimedTransmission & { leftId: string | null })[]>`
    WITH named AS MATERIALIZED (
      SELECT id, ${PLACES} AS places, ${WORK} AS work FROM transmissions t
      WHERE id = ${id ?? null}::uuid AND status IN ('RECEIVED', 'VALIDATING') AND due_at <= now()
        AND parked_at IS NULL AND attempts < ${ATTEMPTS_MAX} AND NOT ${WAITS_FOR_EARLIER_CHANGE}
      FOR UPDATE SKIP LOCKED
    ), waiting AS MATERIALIZED (
      SELECT id, fair_rank, sequence, ${PLACES} AS places, ${WORK} AS work FROM transmissions t
      WHERE status = 'RECEIVED' AND ${IS_RANKED} AND id IS DISTINCT FROM ${id ?? null}::uuid
        AND due_at <= now() AND NOT ${WAITS_FOR_EARLIER_CHANGE}
      ORDER BY fair_rank, sequence LIMIT ${transmissionsMax}
      FOR UPDATE SKIP LOCKED
    ), in_line AS MATERIALIZED (
      SELECT id, row_number() OVER line AS position, sum(places) OVER line AS places, sum(work) OVER line AS work
      FROM (
        SELECT id, NULL AS fair_rank, NULL AS sequence, places, work FROM named
        UNION ALL SELECT id, fair_rank, sequence, places, work FROM waiting) AS found
      WINDOW line AS (ORDER BY fair_rank NULLS FIRST, sequence)
    ), claimed AS (
      UPDATE transmissions t SET
        status = 'VALIDATING',
        fence = t.fence + 1,
        attempts = t.attempts + 1,
        due_at = now() + make_interval(secs => ${leaseSeconds}),
        sweep_at = now() + make_interval(secs => ${leaseSeconds})
      -- The array makes the planner look up each row by the primary key.
      WHERE t.id = ANY(ARRAY(SELECT id FROM in_line WHERE ${fits}))
      RETURNING ${COLUMNS}
    )
    SELECT claimed.*,
      (SELECT id::text FROM in_line WHERE NOT ${fits} ORDER BY position LIMIT 1) AS "leftId"
    FROM claimed JOIN in_line USING (id) ORDER BY position`;
  return {
    claimed: rows.map(({ leftId: _leftId, ...one }) => one),
    leftId: rows[0]?.leftId ?? null,
  };
}

/** The waiting transmission with the lowest rank, for a worker that ends and hands its work to another one. */
export async function findFirstWaiting(
  db: Db,
): Promise<{ id: string; requestId: string } | undefined> {
  const [first] = await db.$queryRaw<{ id: string; requestId: string }[]>`
    SELECT id::text, request_id AS "requestId" FROM transmissions t
    WHERE status = 'RECEIVED' AND ${IS_RANKED} AND NOT ${WAITS_FOR_EARLIER_CHANGE}
    ORDER BY fair_rank, sequence LIMIT 1`;
  return first;
}
