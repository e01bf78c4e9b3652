import type { Lifecycle } from '../../../contract/enums.ts';
import { TOTAL_COUNTED_MAX } from '../../../contract/machine/bounds.ts';
import type { RecordFlag, RecordTransmission } from '../../../contract/machine/record.ts';
import type {
  FlagHistoryQuery,
  HistoryQuery,
  VehicleHistoryQuery,
} from '../../../contract/machine/record-history.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { rowOf } from '../../../db/look-up.ts';
import { type KeyedRows, type PageKey, readKeyedRows } from '../../../db/page.ts';
import type { Db } from '../../../db/prisma.ts';
import type {
  AmendmentRow,
  CertifiedVehicleRow,
  VersionRow,
} from '../../../domain/presentation/present-history.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import type { Viewer } from '../../intake/transmissions.ts';
import { isVisibleTo } from '../visible-certificates.ts';
import { expiringWithinDaysAt, openJson } from './record-columns.ts';
import {
  AMENDMENT_JSON,
  flagJson,
  NEWEST_SNAPSHOT,
  openAmendment,
  openVersion,
  RELATED_TABLES,
  type SealedAmendment,
  type SealedVersion,
  TRANSMISSION_JSON,
  transmissionsAbout,
  VEHICLE_JSON,
  versionJson,
} from './record-history.ts';

// The history of one record in pages, the newest items first (D33). A page reads its own rows only, however long the history is.

type ReadDb = Pick<Db, '$queryRaw'>;

/** A record that the viewer may see, with the facts that decide its status (D12). */
export interface RecordHead {
  readonly id: string;
  readonly lifecycle: Lifecycle;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly expiringWithinDays: number;
}

/** Undefined when the record does not exist or the viewer may not see it (D23). */
export async function findRecordHead(
  db: ReadDb,
  registryReference: string,
  viewer: Viewer,
  now: Date,
): Promise<RecordHead | undefined> {
  const [found] = await db.$queryRaw<RecordHead[]>`
    SELECT c.id::text, c.lifecycle, c.effective_date::text AS "effectiveDate",
      c.expiration_date::text AS "expirationDate", ${expiringWithinDaysAt(now)} AS "expiringWithinDays"
    FROM certificates c CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
    WHERE c.registry_reference = ${registryReference} AND ${isVisibleTo(viewer)}`;
  return found;
}

export async function readVersionPage(
  db: ReadDb,
  keyring: Keyring,
  certificateId: string,
  query: HistoryQuery,
): Promise<KeyedRows<VersionRow>> {
  const page = await readHistory<SealedVersion>(db, certificateId, query, {
    item: versionJson(NEWEST_SNAPSHOT),
    rows: Prisma.sql`certificate_versions v WHERE v.certificate_id = c.id`,
    alias: 'v',
    joins: Prisma.sql`CROSS JOIN ${rowOf('transmissions', 'v.transmission_id')} t`,
    keys: [{ sql: Prisma.sql`v.version`, type: 'bigint' }],
    total: Prisma.sql`current_version`,
  });
  return { ...page, rows: page.rows.map((row) => openVersion(keyring, certificateId, row)) };
}

/** Undefined when the record has no such version. */
export async function findVersion(
  db: ReadDb,
  keyring: Keyring,
  certificateId: string,
  version: number,
): Promise<VersionRow | undefined> {
  const [found] = await db.$queryRaw<{ item: SealedVersion }[]>`
    SELECT ${versionJson(Prisma.sql`v.snapshot_sealed`)} AS item
    FROM certificate_versions v CROSS JOIN ${rowOf('transmissions', 'v.transmission_id')} t
    WHERE v.certificate_id = ${certificateId}::uuid AND v.version = ${version}`;
  return found && openVersion(keyring, certificateId, found.item);
}

export async function readAmendmentPage(
  db: ReadDb,
  keyring: Keyring,
  certificateId: string,
  query: HistoryQuery,
): Promise<KeyedRows<AmendmentRow>> {
  const page = await readHistory<SealedAmendment>(db, certificateId, query, {
    item: AMENDMENT_JSON,
    rows: Prisma.sql`amendments a WHERE a.certificate_id = c.id`,
    alias: 'a',
    joins: Prisma.sql`CROSS JOIN ${rowOf('transmissions', 'a.transmission_id')} t
      JOIN organizations o ON o.id = t.organization_id`,
    keys: [{ sql: Prisma.sql`a.to_version`, type: 'bigint' }],
    total: Prisma.sql`current_version - 1`,
  });
  return { ...page, rows: page.rows.map((row) => openAmendment(keyring, row)) };
}

/** The changes of the amendment that made a version, with personal data unmasked. Undefined when no amendment made it. */
export async function findDiff<Entry>(
  db: ReadDb,
  keyring: Keyring,
  certificateId: string,
  toVersion: number,
): Promise<Entry[] | undefined> {
  const [found] = await db.$queryRaw<{ id: string; sealed: string }[]>`
    SELECT id::text, encode(diff_sealed, 'base64') AS sealed FROM amendments
    WHERE certificate_id = ${certificateId}::uuid AND to_version = ${toVersion}`;
  return found && openJson<Entry[]>(keyring, found.sealed, found.id);
}

export function readTransmissionPage(
  db: ReadDb,
  viewer: Viewer,
  certificateId: string,
  query: HistoryQuery,
): Promise<KeyedRows<RecordTransmission>> {
  const limit = query.limit + 1;
  return readHistory(db, certificateId, query, {
    item: TRANSMISSION_JSON,
    rows: (isAfterCursor) =>
      Prisma.sql`(${transmissionsAbout(viewer, isAfterCursor, limit)}) about WHERE true`,
    alias: 'about',
    joins: Prisma.sql`CROSS JOIN ${rowOf('transmissions', 'about.id')} t
      JOIN organizations o ON o.id = t.organization_id`,
    keys: [{ sql: Prisma.sql`about.sequence`, type: 'bigint' }],
    total: countedUpToMax(transmissionsAbout(viewer, Prisma.sql`true`, TOTAL_COUNTED_MAX)),
  });
}

/** The vehicles of a record, the most recently added first. */
export function readVehiclePage(
  db: ReadDb,
  certificateId: string,
  query: VehicleHistoryQuery,
): Promise<KeyedRows<CertifiedVehicleRow>> {
  const isRemoved = Prisma.sql`removed_in_version IS NOT NULL`;
  const isPresent = Prisma.sql`removed_in_version IS NULL`;
  const present = Prisma.sql`(SELECT count(*) FROM certificate_vehicles WHERE certificate_id = c.id AND ${isPresent})`;
  // Ordinals have no gaps, so the highest gives the number of vehicles.
  const all = Prisma.sql`(SELECT coalesce(max(ordinal) + 1, 0) FROM certificate_vehicles WHERE certificate_id = c.id)`;
  const [condition, total] =
    query.removed === undefined
      ? [Prisma.sql`true`, all]
      : query.removed
        ? [isRemoved, Prisma.sql`${all} - ${present}`]
        : [isPresent, present];
  return readHistory(db, certificateId, query, {
    item: VEHICLE_JSON,
    rows: Prisma.sql`certificate_vehicles cv WHERE cv.certificate_id = c.id AND ${condition}`,
    alias: 'cv',
    joins: Prisma.empty,
    keys: [{ sql: Prisma.sql`cv.ordinal`, type: 'bigint' }],
    total,
  });
}

export function readFlagPage(
  db: ReadDb,
  viewer: Viewer,
  certificateId: string,
  query: FlagHistoryQuery,
): Promise<KeyedRows<RecordFlag>> {
  const condition =
    query.status === undefined ? Prisma.sql`true` : Prisma.sql`f.status = ${query.status}`;
  const rows = Prisma.sql`flags f WHERE f.certificate_id = c.id AND ${condition}`;
  return readHistory(db, certificateId, query, {
    item: flagJson(viewer),
    rows,
    alias: 'f',
    joins: Prisma.sql`JOIN organizations insurer ON insurer.id = c.issuing_insurer_id ${RELATED_TABLES}`,
    keys: [
      { sql: Prisma.sql`f.created_at`, type: 'timestamptz' },
      { sql: Prisma.sql`f.id`, type: 'uuid' },
    ],
    total: countedUpToMax(Prisma.sql`SELECT FROM ${rows}`),
  });
}

/** One list in the history of the certificate `c`. */
interface HistoryList {
  /** The expression for the JSON of one item. */
  readonly item: Prisma.Sql;
  /**
   * The rows to page through, as FROM … WHERE …. A function receives the condition that starts the page, to apply limits
   * of its own.
   */
  readonly rows: Prisma.Sql | ((isAfterCursor: Prisma.Sql) => Prisma.Sql);
  /** The alias of the rows in `item` and `joins`. */
  readonly alias: string;
  readonly joins: Prisma.Sql;
  readonly keys: readonly [PageKey] | readonly [PageKey, PageKey];
  readonly total: Prisma.Sql;
}

function countedUpToMax(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM (SELECT FROM (${rows}) every LIMIT ${TOTAL_COUNTED_MAX}) counted)`;
}

/** The LIMIT inside the lateral join makes the database read this page only. */
async function readHistory<Item extends object>(
  db: ReadDb,
  certificateId: string,
  { cursor, limit }: HistoryQuery,
  { item, rows, alias, joins, keys, total }: HistoryList,
): Promise<KeyedRows<Item>> {
  const isIt = Prisma.sql`c.id = ${certificateId}::uuid`;
  const order = Prisma.join(keys.map(({ sql }) => Prisma.sql`${sql} DESC`));
  const page = await readKeyedRows<{ item: Item }>(db, {
    columns: Prisma.sql`${item} AS item`,
    from: (isAfterCursor) => Prisma.sql`certificates c CROSS JOIN LATERAL (
        SELECT ${Prisma.raw(alias)}.* FROM ${typeof rows === 'function' ? rows(isAfterCursor) : rows}
          AND ${isAfterCursor} ORDER BY ${order} LIMIT ${limit + 1}) ${Prisma.raw(alias)}
      ${joins}`,
    conditions: [isIt],
    keys,
    order: 'DESC',
    cursor,
    limit,
    total: Prisma.sql`(SELECT (${total})::int FROM certificates c WHERE ${isIt})`,
  });
  return { ...page, rows: page.rows.map((row) => row.item) };
}
