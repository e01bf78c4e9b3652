import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  ChangePoolBody,
  CreatePoolBody,
  Pool,
  PoolQuery,
} from '../../contract/staff/pools.ts';
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPageById } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { notePoolViewers } from '../registry/feed/show-pool.ts';
import { type By, recordAudit } from './audit.ts';
import { lockRow } from './lock.ts';
import {
  containsText,
  insertOrganization,
  ORGANIZATION_SUMMARY,
  requireOrganizationOf,
} from './organizations.ts';
import { withChanges } from './with-changes.ts';

const SHOWN = {
  organization: { select: { id: true, code: true, name: true, status: true, createdAt: true } },
  leadInsurer: { select: ORGANIZATION_SUMMARY },
  managementCompany: { select: ORGANIZATION_SUMMARY },
  version: true,
} as const satisfies Prisma.InsurancePoolSelect;

type Row = Prisma.InsurancePoolGetPayload<{ select: typeof SHOWN }>;

/** CHECK constraints hold the columns of text to the vocabularies of the contract. */
function poolOf({ organization: { createdAt, ...organization }, ...row }: Row): Pool {
  return { ...organization, ...row, createdAt: createdAt.toISOString() } as Pool;
}

/** Newest first. */
export function listPools(db: Tx, query: PoolQuery): Promise<Page<Pool>> {
  const { status, leadInsurerId, managementCompanyId, text, cursor, limit } = query;
  return readPageById(
    db,
    {
      id: Prisma.sql`o.id`,
      from: Prisma.sql`insurance_pools p JOIN organizations o ON o.id = p.organization_id`,
      conditions: [
        status !== undefined && Prisma.sql`o.status = ${status}`,
        leadInsurerId !== undefined && Prisma.sql`p.lead_insurer_id = ${leadInsurerId}::uuid`,
        managementCompanyId !== undefined &&
          Prisma.sql`p.management_company_id = ${managementCompanyId}::uuid`,
        text !== undefined && containsText(text, ['o.code', 'o.name']),
      ],
      ...newestFirst('o'),
      cursor,
      limit,
    },
    async (ids) => {
      const where = { organizationId: { in: ids } };
      const rows = await db.insurancePool.findMany({ where, select: SHOWN });
      return rows.map(poolOf);
    },
  );
}

/** @throws {AppError} NOT_FOUND */
export async function requirePool(db: Tx, id: string): Promise<Pool> {
  const row = await db.insurancePool.findUnique({ where: { organizationId: id }, select: SHOWN });
  if (row === null) throw new AppError('NOT_FOUND', 'no such pool');
  return poolOf(row);
}

/** @throws {AppError} VALIDATION_FAILED, CONFLICT */
export async function createPool(tx: Tx, body: CreatePoolBody, by: By): Promise<Pool> {
  const { code, name, leadInsurerId, managementCompanyId } = body;
  await requireRoles(tx, body);
  const { id } = await insertOrganization(tx, { code, name, type: 'INSURANCE_POOL' }, by.at);
  const pool = await tx.insurancePool.create({
    data: { organizationId: id, leadInsurerId, managementCompanyId },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: 'POOL_CREATED',
    target: { type: 'POOL', id },
    after: body,
  });
  return poolOf(pool);
}

/** @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT */
export async function changePool(
  tx: Tx,
  id: string,
  { expectedVersion, ...changes }: ChangePoolBody,
  by: By,
): Promise<Pool> {
  await lockRow(tx, 'insurance_pools', id, expectedVersion, () => requirePool(tx, id));
  const pool = await requirePool(tx, id);
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
  const changed = await tx.insurancePool.update({
    where: { organizationId: id },
    data: { ...after, version: { increment: 1 } },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: 'POOL_CHANGED',
    target: { type: 'POOL', id },
    before,
    after,
  });
  const seeing = [before.leadInsurerId, before.managementCompanyId];
  const viewers = [after.leadInsurerId, after.managementCompanyId].filter((one) => one !== null);
  await notePoolViewers(tx, {
    poolId: id,
    remainingIds: viewers.filter((one) => seeing.includes(one)),
    gainingIds: viewers.filter((one) => !seeing.includes(one)),
  });
  return poolOf(changed);
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
