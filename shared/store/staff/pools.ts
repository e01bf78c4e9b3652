import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  ChangePoolBody,
  CreatePoolBody,
  Pool,
  PoolQuery,
} from '../../contract/staff/pools.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { organizationJson } from '../registry/records/record-columns.ts';
import { recordAudit } from './audit.ts';
import { requireVersion } from './expected-version.ts';
import { holdsText, insertOrganization, requireOrganizationOf } from './organizations.ts';
import type { By } from './users.ts';
import { withChanges } from './with-changes.ts';

interface PoolRow extends Omit<Pool, 'createdAt'> {
  readonly createdAt: Date;
}

const COLUMNS = Prisma.sql`
  o.id::text, o.code, o.name, o.status, ${organizationJson('lead')} AS "leadInsurer",
  ${organizationJson('management')} AS "managementCompany", p.version, o.created_at AS "createdAt"`;
const FROM = Prisma.sql`
  insurance_pools p JOIN organizations o ON o.id = p.organization_id
  JOIN organizations lead ON lead.id = p.lead_insurer_id
  LEFT JOIN organizations management ON management.id = p.management_company_id`;

/** Newest first. */
export async function listPools(db: Db, query: PoolQuery): Promise<Page<Pool>> {
  const { status, leadInsurerId, managementCompanyId, text, cursor, limit } = query;
  const page = await readPage<PoolRow>(db, {
    columns: COLUMNS,
    from: FROM,
    conditions: [
      ...(status === undefined ? [] : [Prisma.sql`o.status = ${status}`]),
      ...(leadInsurerId === undefined
        ? []
        : [Prisma.sql`p.lead_insurer_id = ${leadInsurerId}::uuid`]),
      ...(managementCompanyId === undefined
        ? []
        : [Prisma.sql`p.management_company_id = ${managementCompanyId}::uuid`]),
      ...(text === undefined ? [] : [holdsText(text, [Prisma.sql`o.code`, Prisma.sql`o.name`])]),
    ],
    keys: [
      { sql: Prisma.sql`o.created_at`, type: 'timestamptz' },
      { sql: Prisma.sql`o.id`, type: 'uuid' },
    ],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(poolOf) };
}

/** @throws {AppError} NOT_FOUND */
export async function requirePool(db: Tx, id: string): Promise<Pool> {
  const [row] = await db.$queryRaw<PoolRow[]>`
    SELECT ${COLUMNS} FROM ${FROM} WHERE o.id = ${id}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such pool');
  return poolOf(row);
}

function poolOf({ createdAt, ...row }: PoolRow): Pool {
  return { ...row, createdAt: createdAt.toISOString() };
}

/** @throws {AppError} VALIDATION_FAILED, CONFLICT */
export async function createPool(tx: Tx, body: CreatePoolBody, by: By): Promise<Pool> {
  const { code, name, leadInsurerId, managementCompanyId } = body;
  await requireRoles(tx, body);
  const id = await insertOrganization(tx, { code, name, type: 'INSURANCE_POOL' }, by.at);
  await tx.$executeRaw`
    INSERT INTO insurance_pools (organization_id, lead_insurer_id, management_company_id)
    VALUES (${id}::uuid, ${leadInsurerId}::uuid, ${managementCompanyId}::uuid)`;
  await recordAudit(tx, {
    ...by,
    action: 'POOL_CREATED',
    target: { type: 'POOL', id },
    after: body,
  });
  return requirePool(tx, id);
}

/** @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT */
export async function changePool(
  tx: Tx,
  id: string,
  { expectedVersion, ...changes }: ChangePoolBody,
  by: By,
): Promise<Pool> {
  await tx.$queryRaw`
    SELECT 1 AS locked FROM insurance_pools WHERE organization_id = ${id}::uuid FOR NO KEY UPDATE`;
  const pool = await requirePool(tx, id);
  requireVersion(pool.version, expectedVersion);
  const before = {
    leadInsurerId: pool.leadInsurer.id,
    managementCompanyId: pool.managementCompany?.id ?? null,
  };
  const after = withChanges(before, changes);
  await requireRoles(tx, changes);
  const isSame =
    before.leadInsurerId === after.leadInsurerId &&
    before.managementCompanyId === after.managementCompanyId;
  if (isSame) return pool;
  await tx.$executeRaw`
    UPDATE insurance_pools SET lead_insurer_id = ${after.leadInsurerId}::uuid,
      management_company_id = ${after.managementCompanyId}::uuid, version = version + 1
    WHERE organization_id = ${id}::uuid`;
  await recordAudit(tx, {
    ...by,
    action: 'POOL_CHANGED',
    target: { type: 'POOL', id },
    before,
    after,
  });
  return requirePool(tx, id);
}

async function requireRoles(
  tx: Tx,
  { leadInsurerId, managementCompanyId }: Omit<ChangePoolBody, 'expectedVersion'>,
): Promise<void> {
  if (leadInsurerId !== undefined)
    await requireOrganizationOf(tx, 'leadInsurerId', leadInsurerId, ['INSURANCE_COMPANY']);
  if (managementCompanyId !== undefined && managementCompanyId !== null) {
    const types = ['MANAGEMENT_COMPANY'] as const;
    await requireOrganizationOf(tx, 'managementCompanyId', managementCompanyId, types);
  }
}
