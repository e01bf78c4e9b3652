import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../db/look-up.ts';
import type { Db } from '../../db/prisma.ts';
import type { OwnerRow } from '../../domain/presentation/present-coverage.ts';
import type { Viewer } from '../intake/transmissions.ts';
import { identifierKey } from './commit/identifier-key.ts';
import { expiringWithinDaysAt } from './records/record-columns.ts';
import { isVisible } from './visible-certificates.ts';

export interface CoverageQuestion {
  /** A normalized identifier of any kind. */
  readonly identifier: string;
  /** YYYY-MM-DD. */
  readonly asOf: string;
  /** The end of that day, if it is over. Then covers count that were in force until the day ended (D27). */
  readonly pastSince: Date | null;
  readonly viewer: Viewer;
}

export interface FoundCoverage {
  /** Every vehicle that ever had the identifier, once for each kind; at least one. */
  readonly owners: readonly OwnerRow[];
  readonly expiringWithinDays: number;
}

/**
 * Answers coverage questions in their order: the vehicles that ever had an identifier of any kind, and their cover on a day
 * (D17, D27). One statement sees one snapshot. Undefined when no vehicle ever had the identifier. `now` selects the active
 * rule set.
 */
export async function findCoverages(
  db: Pick<Db, '$queryRaw'>,
  questions: readonly CoverageQuestion[],
  now: Date,
): Promise<(FoundCoverage | undefined)[]> {
  const attempts = questions.flatMap(({ identifier: value }, place) =>
    IDENTIFIER_KINDS.map((kind) => ({ place, kind, value })),
  );
  const viewers = questions.map(({ viewer }) => viewer);
  const rows = await db.$queryRaw<
    { place: number; owner: OwnerRow; expiringWithinDays: number | null }[]
  >`
    WITH owners AS MATERIALIZED (
      SELECT tried.place, tried.kind, tried.value, vi.rank, v.*
      FROM unnest(${attempts.map(({ place }) => place)}::int[], ${attempts.map(identifierKey)}::bigint[],
        ${attempts.map(({ kind }) => kind)}::text[], ${attempts.map(({ value }) => value)}::text[])
        AS tried (place, key, kind, value)
      CROSS JOIN ${rowsWhere('vehicle_identifiers', IS_TRIED)} vi
      CROSS JOIN ${rowOf('vehicles', 'vi.vehicle_id')} v
    )
    SELECT asked.place, ${expiringWithinDaysAt(now)} AS "expiringWithinDays", json_build_object(
      'matched', json_build_object('kind', owner.kind, 'value', owner.value), 'rank', owner.rank,
      'vehicle', json_build_object('plateNumber', owner.plate_number, 'mvFileNumber', owner.mv_file_number,
        'engineNumber', owner.engine_number, 'chassisNumber', owner.chassis_number,
        'make', owner.make, 'model', owner.model, 'yearModel', owner.year_model,
        'vehicleType', owner.vehicle_type, 'denomination', owner.denomination),
      'coverage', spans.coverage, 'next', spans.next, 'lastSequence', spans.last_sequence) AS owner
    FROM unnest(${questions.map((_, place) => place)}::int[], ${questions.map(({ asOf }) => asOf)}::date[],
      ${questions.map(({ pastSince }) => pastSince?.toISOString() ?? null)}::timestamptz[],
      ${viewers.map(({ organizationId }) => organizationId)}::uuid[],
      ${viewers.map(({ isRegulator }) => isRegulator)}::boolean[])
      AS asked (place, as_of, past_since, organization_id, is_regulator)
    JOIN owners owner ON owner.place = asked.place
    CROSS JOIN LATERAL (
      SELECT max(sequence) AS last_sequence,
        (array_agg(span ORDER BY standing = 'IN_FORCE' DESC, sequence DESC, ordinal DESC) FILTER (WHERE counts))[1] AS coverage,
        (array_agg(span ORDER BY since, sequence) FILTER (WHERE begins_later))[1] AS next
      FROM ${SPANS} AS spans
    ) AS spans`;
  return questions.map((_, place) => foundOf(rows.filter((row) => row.place === place)));
}

function foundOf(
  rows: readonly { readonly owner: OwnerRow; readonly expiringWithinDays: number | null }[],
): FoundCoverage | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const { expiringWithinDays } = first;
  if (expiringWithinDays === null) throw new Error('no rule set is active');
  return { owners: rows.map(({ owner }) => owner), expiringWithinDays };
}

const IS_TRIED = Prisma.sql`key = tried.key AND kind = tried.kind AND value = tried.value`;
const IS_OWNERS = Prisma.sql`vehicle_id = owner.id`;
const ASKED_BY = {
  organizationId: Prisma.sql`asked.organization_id`,
  isRegulator: Prisma.sql`asked.is_regulator`,
};

/**
 * Whether a certificate that no longer covers the vehicle still covered it at the end of the requested day (D27): the
 * cancellation took effect on a later day and was not for ISSUED_IN_ERROR, and the vehicle was removed on a later day.
 */
const WAS_IN_FORCE = Prisma.sql`(asked.past_since IS NOT NULL
  AND (c.lifecycle = 'CURRENT' OR EXISTS (
    SELECT FROM cancellations x
    WHERE x.certificate_id = c.id AND x.reason_code <> 'ISSUED_IN_ERROR'
      AND x.cancellation_effective_date > asked.as_of))
  AND (cv.removed_in_version IS NULL OR EXISTS (
    SELECT FROM amendments a
    WHERE a.certificate_id = c.id AND a.to_version = cv.removed_in_version AND a.created_at >= asked.past_since)))`;

/** Every certificate that lists or listed the vehicle `owner`. Those that matter for the question `asked` come as JSON. */
const SPANS = Prisma.sql`(
  SELECT c.sequence, cv.ordinal, days.*, is_so.*, CASE WHEN counts OR begins_later THEN (
    SELECT json_build_object('insurerCode', insurer.code, 'insurerName', insurer.name, 'effectiveDate', since,
      'expirationDate', until, 'standing', standing, 'sequence', c.sequence, 'registryReference',
      CASE WHEN ${isVisible(ASKED_BY, { certificate: 'c', policy: 'p' })} THEN c.registry_reference END)
    FROM policies p JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
    WHERE p.id = c.policy_id) END AS span
  FROM ${rowsWhere('certificate_vehicles', IS_OWNERS)} cv
  CROSS JOIN ${rowOf('certificates', 'cv.certificate_id')} c
  CROSS JOIN LATERAL (
    SELECT coalesce(cv.covered_from, c.effective_date) AS since, coalesce(cv.covered_until, c.expiration_date) AS until,
      CASE WHEN cv.removed_in_version IS NOT NULL THEN 'SUPERSEDED'
        WHEN c.lifecycle = 'CANCELLED' THEN 'CANCELLED' ELSE 'IN_FORCE' END AS standing) AS days
  CROSS JOIN LATERAL (
    SELECT asked.as_of BETWEEN since AND until AND (standing = 'IN_FORCE' OR ${WAS_IN_FORCE}) AS counts,
      standing = 'IN_FORCE' AND since > asked.as_of AS begins_later) AS is_so
)`;
