import { IDENTIFIER_KINDS } from '../../../contract/enums.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Page, PageQuery } from '../../../contract/machine/paging.ts';
import {
  VEHICLE_IDENTIFIERS_MAX,
  type VehicleItem,
} from '../../../contract/staff/views/vehicles.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../../db/look-up.ts';
import { readPage } from '../../../db/page.ts';
import type { Db } from '../../../db/prisma.ts';
import type { KindAndValue } from '../../../domain/identifiers.ts';
import type { CoverRow, VehicleRow } from '../../../domain/presentation/present-vehicle.ts';
import type { SubmittedOperator } from '../../../domain/registration/submission.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { identifierKey } from '../../registry/commit/identifier-key.ts';
import { openJson, organizationJson } from '../../registry/records/record-columns.ts';

type ReadDb = Pick<Db, '$queryRaw'>;

/** The select list of a vehicle `v`. */
const COLUMNS = Prisma.sql`
  v.id::text, v.plate_number AS "plateNumber", v.mv_file_number AS "mvFileNumber",
  v.engine_number AS "engineNumber", v.chassis_number AS "chassisNumber", v.make, v.model,
  v.year_model AS "yearModel", v.vehicle_type AS "vehicleType", v.denomination,
  (SELECT count(*)::int FROM certificate_vehicles cv WHERE cv.vehicle_id = v.id) AS "coverCount"`;

export interface VehicleSearch {
  /** Normalized identifiers that the vehicle must have or have had, all of them. */
  readonly identifiers: readonly KindAndValue[];
  /** A normalized identifier of any kind. */
  readonly anyKind: string | null;
  readonly page: PageQuery;
}

/** The vehicles that ever had the identifiers. The search must name at least one. */
export function listVehicles(
  db: ReadDb,
  { identifiers, anyKind, page: { cursor, limit } }: VehicleSearch,
): Promise<Page<VehicleItem>> {
  const ofAnyKind = IDENTIFIER_KINDS.map((kind) => ({ kind, value: anyKind ?? '' }));
  return readPage<VehicleItem>(db, {
    columns: COLUMNS,
    from: Prisma.sql`vehicles v`,
    conditions: [
      ...identifiers.map((one) => everHadOneOf([one])),
      anyKind !== null && everHadOneOf(ofAnyKind),
    ],
    keys: [{ sql: Prisma.sql`v.id`, type: 'uuid' }],
    order: 'ASC',
    cursor,
    filters: JSON.stringify([identifiers, anyKind]),
    limit,
  });
}

/** Whether the vehicle `v` has or had one of these identifiers, which have the same value. */
function everHadOneOf(identifiers: readonly KindAndValue[]): Prisma.Sql {
  const keys = identifiers.map(identifierKey);
  const kinds = identifiers.map(({ kind }) => kind);
  const [first] = identifiers;
  const isIt = Prisma.sql`key = ANY(${keys}::bigint[]) AND kind = ANY(${kinds}::text[])
    AND value = ${first?.value ?? ''}`;
  return Prisma.sql`v.id = ANY(ARRAY(
    SELECT vi.vehicle_id FROM ${rowsWhere('vehicle_identifiers', isIt)} vi))`;
}

/** @throws {AppError} NOT_FOUND */
export async function requireVehicle(
  db: ReadDb,
  keyring: Keyring,
  vehicleId: string,
  coversMax: number,
): Promise<VehicleRow> {
  const [row] = await readVehicles(db, keyring, [vehicleId], coversMax);
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such vehicle');
  return row;
}

/** In the order of the ids, with the newest covers of each. An unknown id is left out. */
export async function readVehicles(
  db: ReadDb,
  keyring: Keyring,
  ids: readonly string[],
  coversMax: number,
): Promise<VehicleRow[]> {
  const items = await db.$queryRaw<VehicleItem[]>`
    SELECT ${COLUMNS} FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
    CROSS JOIN ${rowOf('vehicles', 'asked.id')} v ORDER BY asked.place`;
  const owned = await db.$queryRaw<(KindAndValue & { vehicleId: string })[]>`
    SELECT asked.id::text AS "vehicleId", vi.kind, vi.value FROM unnest(${ids}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT * FROM ${rowsWhere('vehicle_identifiers', Prisma.sql`vehicle_id = asked.id`)} owned
      LIMIT ${VEHICLE_IDENTIFIERS_MAX}) vi`;
  const covers = await readCovers(db, keyring, ids, coversMax);
  return items.map((item) => ({
    ...item,
    owned: owned.filter(({ vehicleId }) => vehicleId === item.id),
    covers: covers.filter(({ vehicleId }) => vehicleId === item.id),
  }));
}

interface SealedCover extends Omit<CoverRow, 'operatorName'> {
  readonly operatorId: string;
  readonly operatorSealed: string;
}

/** The latest registrations of each vehicle, the latest first. */
async function readCovers(
  db: ReadDb,
  keyring: Keyring,
  vehicleIds: readonly string[],
  coversMax: number,
): Promise<CoverRow[]> {
  const rows = await db.$queryRaw<SealedCover[]>`
    SELECT asked.id::text AS "vehicleId", c.id::text AS "certificateId", c.registry_reference AS "registryReference",
      p.policy_number AS "policyNumber", c.coc_number AS "cocNumber", ${organizationJson('insurer')} AS "issuingInsurer",
      c.lifecycle, c.effective_date::text AS "effectiveDate", c.expiration_date::text AS "expirationDate",
      coalesce(cv.covered_from, c.effective_date)::text AS "firstDay",
      coalesce(cv.covered_until, c.expiration_date)::text AS "lastDay", cv.registered,
      cv.added_in_version AS "addedInVersion", cv.removed_in_version AS "removedInVersion",
      c.operator_id::text AS "operatorId", encode(c.operator_sealed, 'base64') AS "operatorSealed"
    FROM unnest(${vehicleIds}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT listed.*, certified.sequence
      FROM ${rowsWhere('certificate_vehicles', Prisma.sql`vehicle_id = asked.id`)} listed
      CROSS JOIN ${rowOf('certificates', 'listed.certificate_id')} certified
      ORDER BY certified.sequence DESC, listed.ordinal DESC LIMIT ${coversMax}) cv
    CROSS JOIN ${rowOf('certificates', 'cv.certificate_id')} c
    CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
    JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
    ORDER BY cv.sequence DESC, cv.ordinal DESC`;
  return rows.map(({ operatorId, operatorSealed, ...row }) => {
    const { name } = openJson<SubmittedOperator>(keyring, operatorSealed, operatorId);
    return { ...row, operatorName: name ?? '' };
  });
}
