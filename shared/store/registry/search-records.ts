import type { CoverageStatus } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../db/look-up.ts';
import type { Db } from '../../db/prisma.ts';
import type { KindAndValue } from '../../domain/identifiers.ts';
import type { SummaryRow } from '../../domain/presentation/present-summary.ts';
import type { SearchCriteria } from '../../domain/search-criteria.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import type { Viewer } from '../intake/transmissions.ts';
import { identifierKey } from './commit/identifier-key.ts';
import {
  expiringWithinDaysAt,
  openSummary,
  type SealedSummary,
  SUMMARY_JSON,
  summaryTables,
} from './records/record-columns.ts';
import { isVisibleTo } from './visible-certificates.ts';

export interface SearchQuestion {
  readonly criteria: SearchCriteria;
  readonly status: CoverageStatus | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly viewer: Viewer;
  /** Selects the active rule set. */
  readonly now: Date;
  /** The registry's date (D8). */
  readonly today: string;
}

export interface SearchPage {
  /** The newest registration first; empty after the last page. */
  readonly records: readonly SummaryRow[];
  /** The number of records on all pages. */
  readonly total: number;
  readonly expiringWithinDays: number;
}

/**
 * The records that match all criteria and that the viewer may see (D16, D23). An identifier matches a record when a vehicle
 * that is or was on the record ever had it. Two identifiers may match two different vehicles of the record.
 */
export async function searchRecords(
  db: Pick<Db, '$queryRaw'>,
  keyring: Keyring,
  question: SearchQuestion,
): Promise<SearchPage> {
  const { criteria, status, page, pageSize, viewer, now, today } = question;
  const conditions = [
    ...criteria.identifiers.map(everHadIdentifier),
    ...(criteria.policyNumber === null
      ? []
      : [
          Prisma.sql`c.policy_id = ANY(ARRAY(
            SELECT id FROM policies WHERE policy_number = ${criteria.policyNumber}))`,
        ]),
    ...(criteria.cocNumber === null ? [] : [Prisma.sql`c.coc_number = ${criteria.cocNumber}`]),
    ...(status === undefined ? [] : [hasStatusOn(today, status, now)]),
  ];
  const [found] = await db.$queryRaw<
    { total: number; expiringWithinDays: number | null; ids: string[] }[]
  >`
    WITH found AS MATERIALIZED (
      SELECT c.id, c.sequence FROM ${rowsWhere('certificates c', Prisma.join(conditions, ' AND '))} c
      CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
      WHERE ${isVisibleTo(viewer)}
    )
    SELECT (SELECT count(*)::int FROM found) AS total,
      ${expiringWithinDaysAt(now)} AS "expiringWithinDays",
      ARRAY(
        SELECT id::text FROM found ORDER BY sequence DESC, id
        LIMIT ${pageSize}::int OFFSET ${(page - 1) * pageSize}::bigint) AS ids`;
  if (found === undefined || found.expiringWithinDays === null) {
    throw new Error('no rule set is active');
  }
  return {
    records: await readSummaries(db, keyring, found.ids),
    total: found.total,
    expiringWithinDays: found.expiringWithinDays,
  };
}

/** Whether a vehicle that is or was on the certificate `c` ever had the identifier (D16). */
export function everHadIdentifier(one: KindAndValue): Prisma.Sql {
  const isIt = Prisma.sql`key = ${identifierKey(one)}::bigint AND kind = ${one.kind} AND value = ${one.value}`;
  return Prisma.sql`c.id = ANY(ARRAY(
    SELECT cv.certificate_id FROM ${rowsWhere('vehicle_identifiers', isIt)} vi
    CROSS JOIN ${rowsWhere('certificate_vehicles', Prisma.sql`vehicle_id = vi.vehicle_id`)} cv))`;
}

/**
 * Whether the certificate `c` has this coverage status on the day, with the same boundaries as `coverageStatusOn` (D12).
 * SUPERSEDED is a status of versions, never of a record.
 */
export function hasStatusOn(today: string, status: CoverageStatus, now: Date): Prisma.Sql {
  const day = Prisma.sql`${today}::date`;
  const soon = Prisma.sql`${day} + ${expiringWithinDaysAt(now)}`;
  const inForce = Prisma.sql`c.lifecycle = 'CURRENT' AND c.effective_date <= ${day}`;
  switch (status) {
    case 'CANCELLED':
      return Prisma.sql`c.lifecycle = 'CANCELLED'`;
    case 'EXPIRED':
      return Prisma.sql`(c.lifecycle = 'CURRENT' AND c.expiration_date < ${day})`;
    case 'UPCOMING':
      return Prisma.sql`(c.lifecycle = 'CURRENT' AND c.effective_date > ${day})`;
    case 'EXPIRING':
      return Prisma.sql`(${inForce} AND c.expiration_date BETWEEN ${day} AND ${soon})`;
    case 'ACTIVE':
      return Prisma.sql`(${inForce} AND c.expiration_date > ${soon})`;
    case 'SUPERSEDED':
      return Prisma.sql`false`;
    default:
      return status satisfies never;
  }
}

/** The summaries of these certificates, the newest registration first. */
export async function readSummaries(
  db: Pick<Db, '$queryRaw'>,
  keyring: Keyring,
  ids: readonly string[],
): Promise<SummaryRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ summary: SealedSummary }[]>`
    SELECT ${SUMMARY_JSON} AS summary FROM ${summaryTables(Prisma.sql`id = ANY(${ids}::uuid[])`)}
    ORDER BY c.sequence DESC, c.id`;
  return rows.map(({ summary }) => openSummary(keyring, summary));
}
