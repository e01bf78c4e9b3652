import { IDENTIFIER_KINDS } from '../contract/enums.ts';
import type { CoverageRow } from '../domain/present-coverage.ts';
import type { Db } from './db.ts';
import { identifierKey } from './identifier-key.ts';
import { expiringWithinDaysAt } from './record-columns.ts';
import type { Viewer } from './transmissions.ts';
import { isVisibleTo } from './visible-certificates.ts';

export interface CoverageQuestion {
  /** Normalized; of any kind. */
  readonly identifier: string;
  /** YYYY-MM-DD. */
  readonly asOf: string;
  readonly viewer: Viewer;
  /** Chooses the active rule set. */
  readonly now: Date;
}

export interface FoundCoverage extends CoverageRow {
  readonly expiringWithinDays: number;
}

/**
 * The vehicle of an identifier and its cover on a day (D17). The identifier is tried as chassis, engine, MV
 * file and plate number, in that order; of several owners (D10) the vehicle has it whose current identifier it
 * is, else its first owner. Cancelled certificates never cover, nor do those that the vehicle was taken off.
 * Undefined when no vehicle was ever registered with it.
 */
export async function findCoverage(
  db: Pick<Db, '$queryRaw'>,
  { identifier, asOf, viewer, now }: CoverageQuestion,
): Promise<FoundCoverage | undefined> {
  const asked = IDENTIFIER_KINDS.map((kind) => ({ kind, value: identifier }));
  const [found] = await db.$queryRaw<
    (Omit<FoundCoverage, 'expiringWithinDays'> & { expiringWithinDays: number | null })[]
  >`
    WITH owner AS MATERIALIZED (
      SELECT v.*, vi.kind
      FROM unnest(${asked.map(identifierKey)}::bigint[], ${asked.map(({ kind }) => kind)}::text[])
        WITH ORDINALITY AS asked (key, kind, attempt)
      JOIN vehicle_identifiers vi
        ON vi.key = asked.key AND vi.kind = asked.kind AND vi.value = ${identifier}
      JOIN vehicles v ON v.id = vi.vehicle_id
      ORDER BY asked.attempt, vi.value = CASE vi.kind WHEN 'chassisNumber' THEN v.chassis_number
        WHEN 'engineNumber' THEN v.engine_number WHEN 'mvFileNumber' THEN v.mv_file_number
        ELSE v.plate_number END DESC, vi.rank
      LIMIT 1
    ), spans AS MATERIALIZED (
      SELECT c.effective_date, c.expiration_date, c.sequence, json_build_object(
        'insurerCode', insurer.code, 'insurerName', insurer.name, 'effectiveDate', c.effective_date,
        'expirationDate', c.expiration_date, 'registryReference',
        CASE WHEN ${isVisibleTo(viewer)} THEN c.registry_reference END) AS span
      FROM owner
      JOIN certificate_vehicles cv ON cv.vehicle_id = owner.id AND cv.removed_in_version IS NULL
      JOIN certificates c ON c.id = cv.certificate_id AND c.lifecycle = 'CURRENT'
      JOIN policies p ON p.id = c.policy_id
      JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
      WHERE c.expiration_date >= ${asOf}::date
    )
    SELECT json_build_object('kind', owner.kind, 'value', ${identifier}::text) AS matched,
      json_build_object('plateNumber', owner.plate_number, 'mvFileNumber', owner.mv_file_number,
        'engineNumber', owner.engine_number, 'chassisNumber', owner.chassis_number,
        'make', owner.make, 'model', owner.model, 'yearModel', owner.year_model,
        'vehicleType', owner.vehicle_type, 'denomination', owner.denomination) AS vehicle,
      (SELECT span FROM spans WHERE effective_date <= ${asOf}::date
        ORDER BY effective_date DESC, sequence DESC LIMIT 1) AS coverage,
      (SELECT span FROM spans WHERE effective_date > ${asOf}::date
        ORDER BY effective_date, sequence LIMIT 1) AS next,
      ${expiringWithinDaysAt(now)} AS "expiringWithinDays"
    FROM owner`;
  if (found === undefined) return undefined;
  const { expiringWithinDays } = found;
  if (expiringWithinDays === null) throw new Error('no rule set is active');
  return { ...found, expiringWithinDays };
}
