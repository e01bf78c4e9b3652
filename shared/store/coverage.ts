import { IDENTIFIER_KINDS } from '../contract/enums.ts';
import type { CoverageRow } from '../domain/present-coverage.ts';
import type { RawDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import { identifierKey } from './identifier-key.ts';
import { rowOf, rowsWhere } from './look-up.ts';
import { expiringWithinDaysAt } from './record-columns.ts';
import type { Viewer } from './transmissions.ts';
import { isVisible } from './visible-certificates.ts';

export interface CoverageQuestion {
  /** Normalized; of any kind. */
  readonly identifier: string;
  /** YYYY-MM-DD. */
  readonly asOf: string;
  readonly viewer: Viewer;
}

export interface FoundCoverage extends CoverageRow {
  readonly expiringWithinDays: number;
}

/**
 * One answer a question in their order: the vehicle of an identifier and its cover on a day (D17). The identifier is
 * tried as chassis, engine, MV file and plate number, in that order; of several owners (D10) the vehicle has it whose
 * current identifier it is, else its first owner. Cancelled certificates never cover, nor do those that the vehicle
 * was taken off. Undefined when no vehicle was ever registered with it. `now` chooses the active rule set.
 */
export async function findCoverages(
  db: Pick<RawDb, '$queryRaw'>,
  questions: readonly CoverageQuestion[],
  now: Date,
): Promise<(FoundCoverage | undefined)[]> {
  const attempts = questions.flatMap(({ identifier: value }, place) =>
    IDENTIFIER_KINDS.map((kind, attempt) => ({ place, attempt, kind, value })),
  );
  const viewers = questions.map(({ viewer }) => viewer);
  const rows = await db.$queryRaw<
    (Omit<FoundCoverage, 'expiringWithinDays'> & {
      place: number;
      expiringWithinDays: number | null;
    })[]
  >`
    WITH owners AS MATERIALIZED (
      SELECT DISTINCT ON (tried.place) tried.place, tried.kind, tried.value, v.*
      FROM unnest(${attempts.map(({ place }) => place)}::int[], ${attempts.map(({ attempt }) => attempt)}::int[],
        ${attempts.map(identifierKey)}::bigint[], ${attempts.map(({ kind }) => kind)}::text[],
        ${attempts.map(({ value }) => value)}::text[]) AS tried (place, attempt, key, kind, value)
      CROSS JOIN ${rowsWhere('vehicle_identifiers', IS_TRIED)} vi
      CROSS JOIN ${rowOf('vehicles', 'vi.vehicle_id')} v
      ORDER BY tried.place, tried.attempt, vi.value = CASE vi.kind WHEN 'chassisNumber' THEN v.chassis_number
        WHEN 'engineNumber' THEN v.engine_number WHEN 'mvFileNumber' THEN v.mv_file_number
        ELSE v.plate_number END DESC, vi.rank
    )
    SELECT asked.place, json_build_object('kind', owner.kind, 'value', owner.value) AS matched,
      json_build_object('plateNumber', owner.plate_number, 'mvFileNumber', owner.mv_file_number,
        'engineNumber', owner.engine_number, 'chassisNumber', owner.chassis_number,
        'make', owner.make, 'model', owner.model, 'yearModel', owner.year_model,
        'vehicleType', owner.vehicle_type, 'denomination', owner.denomination) AS vehicle,
      spans.coverage, spans.next, ${expiringWithinDaysAt(now)} AS "expiringWithinDays"
    FROM unnest(${questions.map((_, place) => place)}::int[], ${questions.map(({ asOf }) => asOf)}::date[],
      ${viewers.map(({ organizationId }) => organizationId)}::uuid[],
      ${viewers.map(({ isRegulator }) => isRegulator)}::boolean[])
      AS asked (place, as_of, organization_id, is_regulator)
    JOIN owners owner ON owner.place = asked.place
    CROSS JOIN LATERAL (
      SELECT
        (array_agg(span ORDER BY effective_date DESC, sequence DESC)
          FILTER (WHERE effective_date <= asked.as_of))[1] AS coverage,
        (array_agg(span ORDER BY effective_date, sequence)
          FILTER (WHERE effective_date > asked.as_of))[1] AS next
      FROM (
        SELECT c.effective_date, c.sequence, json_build_object(
          'insurerCode', insurer.code, 'insurerName', insurer.name, 'effectiveDate', c.effective_date,
          'expirationDate', c.expiration_date, 'registryReference',
          CASE WHEN ${isVisible(ASKED_BY, { certificate: 'c', policy: 'p' })} THEN c.registry_reference END) AS span
        FROM ${rowsWhere('certificate_vehicles', IS_OWNERS)} cv
        CROSS JOIN ${rowOf('certificates', 'cv.certificate_id')} c
        CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
        JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
        WHERE c.lifecycle = 'CURRENT' AND c.expiration_date >= asked.as_of
      ) AS covers
    ) AS spans`;
  const answers = new Map(
    rows.map(({ place, expiringWithinDays, ...found }) => {
      if (expiringWithinDays === null) throw new Error('no rule set is active');
      return [place, { ...found, expiringWithinDays }];
    }),
  );
  return questions.map((_, place) => answers.get(place));
}

const IS_TRIED = Prisma.sql`key = tried.key AND kind = tried.kind AND value = tried.value`;
const IS_OWNERS = Prisma.sql`vehicle_id = owner.id AND removed_in_version IS NULL`;
const ASKED_BY = {
  organizationId: Prisma.sql`asked.organization_id`,
  isRegulator: Prisma.sql`asked.is_regulator`,
};
