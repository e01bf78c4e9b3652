import type { ReferenceRegion } from '../../../contract/staff/reference.ts';
import { FLAG_EVENTS_MAX, type FlagEvent } from '../../../contract/staff/views/flag-evidence.ts';
import type { AuditAction, Role } from '../../../contract/staff.ts';
import type { Db } from '../../../db/prisma.ts';
import type { JudgedRow } from '../../../domain/presentation/present-evidence.ts';
import type { CertifiedVehicleRow } from '../../../domain/presentation/present-history.ts';
import { VEHICLE_JSON } from '../../registry/records/record-history.ts';

type ReadDb = Pick<Db, '$queryRaw'>;

/** The vehicle of a flag on its record: its present row, or the last one. Undefined for a flag without a vehicle. */
export async function findFlaggedVehicle(
  db: ReadDb,
  flagId: string,
): Promise<CertifiedVehicleRow | undefined> {
  const [row] = await db.$queryRaw<{ item: CertifiedVehicleRow }[]>`
    SELECT ${VEHICLE_JSON} AS item FROM flags f
    JOIN certificate_vehicles cv ON cv.vehicle_id = f.vehicle_id AND cv.certificate_id = f.certificate_id
    WHERE f.id = ${flagId}::uuid
    ORDER BY cv.ordinal DESC LIMIT 1`;
  return row?.item;
}

/** The verdict that raised the flag: of the transmission that made the version of that moment. */
export async function findVerdictOf(db: ReadDb, flagId: string): Promise<JudgedRow | undefined> {
  const [row] = await db.$queryRaw<JudgedRow[]>`
    SELECT t.acknowledgment->'plateNumbers' AS "plateNumbers", t.acknowledgment->'warnings' AS warnings
    FROM flags f
    CROSS JOIN LATERAL (
      SELECT transmission_id FROM certificate_versions
      WHERE certificate_id = f.certificate_id AND created_at <= f.created_at
      ORDER BY version DESC LIMIT 1) v
    JOIN transmissions t ON t.id = v.transmission_id
    WHERE f.id = ${flagId}::uuid AND t.acknowledgment IS NOT NULL`;
  return row;
}

export async function findReferenceRegion(
  db: ReadDb,
  region: string,
): Promise<ReferenceRegion | undefined> {
  const [row] = await db.$queryRaw<(Omit<ReferenceRegion, 'importedAt'> & { importedAt: Date })[]>`
    SELECT r.region, r.imported_at AS "importedAt",
      (SELECT count(*)::int FROM reference_vehicles v WHERE v.region = r.region) AS vehicles
    FROM reference_regions r WHERE r.region = ${region}`;
  return row && { ...row, importedAt: row.importedAt.toISOString() };
}

interface EventRow {
  readonly at: Date;
  readonly action: AuditAction;
  readonly email: string | null;
  readonly role: Role | null;
  readonly status: FlagEvent['status'];
  readonly notes: string | null;
}

/** The latest audited acts on a flag, the oldest first. */
export async function listFlagEvents(db: ReadDb, flagId: string): Promise<FlagEvent[]> {
  const rows = await db.$queryRaw<EventRow[]>`
    SELECT at, action, actor_email AS email, actor_role AS role, after->>'status' AS status,
      after->>'reviewNotes' AS notes
    FROM audit_entries WHERE target_type = 'FLAG' AND target_id = ${flagId}
    ORDER BY sequence DESC LIMIT ${FLAG_EVENTS_MAX}`;
  return rows
    .map(({ at, action, email, role, status, notes }) => ({
      at: at.toISOString(),
      action,
      actor: { email, role },
      status,
      notes,
    }))
    .reverse();
}
