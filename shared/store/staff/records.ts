import type { Page } from '../../contract/machine/paging.ts';
import type { RecordQuery } from '../../contract/staff/records.ts';
import { Prisma } from '../../db/generated/client.ts';
import { type Condition, readPageById } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import type { SummaryRow } from '../../domain/presentation/present-summary.ts';
import type { SearchCriteria } from '../../domain/search-criteria.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import type { Viewer } from '../intake/transmissions.ts';
import { expiringWithinDaysAt } from '../registry/records/record-columns.ts';
import { everHadIdentifier, hasStatusOn, readSummaries } from '../registry/search-records.ts';

/** Staff see every record (D23) and belong to no organization. */
export const STAFF_VIEWER: Viewer = {
  organizationId: '00000000-0000-0000-0000-000000000000',
  organizationCode: '',
  isRegulator: true,
};

export interface RecordsQuestion {
  readonly query: RecordQuery;
  /** The identifiers and numbers of the query, normalized; undefined when it has none. */
  readonly criteria: SearchCriteria | undefined;
  /** Selects the active rule set. */
  readonly now: Date;
  /** The registry's date (D8). */
  readonly today: string;
}

export interface RecordsPage extends Page<SummaryRow> {
  readonly expiringWithinDays: number;
}

/**
 * Records of all organizations, the newest or oldest registration first. They are ordered by their references, which have an index and, up
 * to nine digits, follow the order of registration (D13).
 */
export async function listRecords(
  db: Tx,
  keyring: Keyring,
  { query, criteria, now, today }: RecordsQuestion,
): Promise<RecordsPage> {
  const { order, cursor, limit } = query;
  const page = await readPageById(
    db,
    {
      id: Prisma.sql`c.id`,
      from: Prisma.sql`certificates c JOIN policies p ON p.id = c.policy_id`,
      conditions: [...criteriaOf(criteria), ...filtersOf(query, now, today)],
      keys: [{ sql: Prisma.sql`c.registry_reference`, type: 'text' }],
      order: order === 'oldest' ? 'ASC' : 'DESC',
      cursor,
      limit,
    },
    (ids) => readSummaries(db, keyring, ids),
  );
  const [rules] = await db.$queryRaw<{ days: number | null }[]>`
    SELECT ${expiringWithinDaysAt(now)} AS days`;
  const expiringWithinDays = rules?.days ?? null;
  if (expiringWithinDays === null) throw new Error('no rule set is active');
  return { ...page, expiringWithinDays };
}

function criteriaOf(criteria: SearchCriteria | undefined): Condition[] {
  if (criteria === undefined) return [];
  const { identifiers, policyNumber, cocNumber } = criteria;
  return [
    ...identifiers.map(everHadIdentifier),
    policyNumber !== null && Prisma.sql`p.policy_number = ${policyNumber}`,
    cocNumber !== null && Prisma.sql`c.coc_number = ${cocNumber}`,
  ];
}

function filtersOf(query: RecordQuery, now: Date, today: string): Condition[] {
  const { status, lifecycle, region, insurerCode, transmitterCode, poolCode } = query;
  const { hasOpenFlags, registeredFrom, registeredTo } = query;
  const { effectiveFrom, effectiveTo, expirationFrom, expirationTo } = query;
  return [
    status !== undefined && hasStatusOn(today, status, now),
    lifecycle !== undefined && Prisma.sql`c.lifecycle = ${lifecycle}`,
    region !== undefined && Prisma.sql`c.operator_region = ${region}`,
    insurerCode !== undefined && Prisma.sql`c.issuing_insurer_id = ${organizationOf(insurerCode)}`,
    transmitterCode !== undefined &&
      Prisma.sql`c.transmitting_organization_id = ${organizationOf(transmitterCode)}`,
    poolCode !== undefined && Prisma.sql`p.pool_id = ${organizationOf(poolCode)}`,
    hasOpenFlags !== undefined &&
      Prisma.sql`${hasOpenFlags}::boolean = EXISTS (
        SELECT FROM flags f WHERE f.certificate_id = c.id AND f.status = 'OPEN')`,
    registeredFrom !== undefined && Prisma.sql`c.registered_at >= ${registeredFrom}::timestamptz`,
    registeredTo !== undefined && Prisma.sql`c.registered_at < ${registeredTo}::timestamptz`,
    effectiveFrom !== undefined && Prisma.sql`c.effective_date >= ${effectiveFrom}::date`,
    effectiveTo !== undefined && Prisma.sql`c.effective_date <= ${effectiveTo}::date`,
    expirationFrom !== undefined && Prisma.sql`c.expiration_date >= ${expirationFrom}::date`,
    expirationTo !== undefined && Prisma.sql`c.expiration_date <= ${expirationTo}::date`,
  ];
}

function organizationOf(code: string): Prisma.Sql {
  return Prisma.sql`(SELECT id FROM organizations WHERE code = ${code})`;
}
