import { AppError } from '../../contract/errors.ts';
import { makeFinding } from '../../contract/findings.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  AddMembershipBody,
  EndMembershipBody,
  Membership,
  MembershipQuery,
} from '../../contract/staff/pools.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import { type Db, sqlState, type Tx } from '../../db/prisma.ts';
import { organizationJson } from '../registry/records/record-columns.ts';
import { recordAudit } from './audit.ts';
import { requireVersion } from './expected-version.ts';
import { requireOrganizationOf } from './organizations.ts';
import { requirePool } from './pools.ts';
import type { By } from './users.ts';

interface MembershipRow extends Omit<Membership, 'createdAt'> {
  readonly createdAt: Date;
}

const COLUMNS = Prisma.sql`
  m.id::text, ${organizationJson('i')} AS insurer, m.valid_from::text AS "validFrom",
  m.valid_to::text AS "validTo", m.version, m.created_at AS "createdAt"`;
const FROM = Prisma.sql`pool_memberships m JOIN organizations i ON i.id = m.insurer_id`;

/** Latest first day first. @throws {AppError} NOT_FOUND */
export async function listMemberships(
  db: Db,
  poolId: string,
  { insurerId, on, cursor, limit }: MembershipQuery,
): Promise<Page<Membership>> {
  await requirePool(db, poolId);
  const page = await readPage<MembershipRow>(db, {
    columns: COLUMNS,
    from: FROM,
    conditions: [
      Prisma.sql`m.pool_id = ${poolId}::uuid`,
      ...(insurerId === undefined ? [] : [Prisma.sql`m.insurer_id = ${insurerId}::uuid`]),
      ...(on === undefined
        ? []
        : [Prisma.sql`daterange(m.valid_from, m.valid_to, '[]') @> ${on}::date`]),
    ],
    keys: [
      { sql: Prisma.sql`m.valid_from`, type: 'date' },
      { sql: Prisma.sql`m.id`, type: 'uuid' },
    ],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(membershipOf) };
}

async function requireMembership(tx: Tx, poolId: string, id: string): Promise<Membership> {
  const [row] = await tx.$queryRaw<MembershipRow[]>`
    SELECT ${COLUMNS} FROM ${FROM} WHERE m.id = ${id}::uuid AND m.pool_id = ${poolId}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such membership of this pool');
  return membershipOf(row);
}

function membershipOf({ createdAt, ...row }: MembershipRow): Membership {
  return { ...row, createdAt: createdAt.toISOString() };
}

/** Within {@link refusingOverlap}. @throws {AppError} NOT_FOUND, VALIDATION_FAILED */
export async function addMembership(
  tx: Tx,
  poolId: string,
  body: AddMembershipBody,
  by: By,
): Promise<Membership> {
  const { insurerId, validFrom, validTo } = body;
  requireOrder(validFrom, validTo);
  await requirePool(tx, poolId);
  await requireOrganizationOf(tx, 'insurerId', insurerId, ['INSURANCE_COMPANY']);
  const { id } = await tx.poolMembership.create({
    data: {
      poolId,
      insurerId,
      validFrom: new Date(validFrom),
      validTo: validTo === null ? null : new Date(validTo),
      createdAt: by.at,
    },
    select: { id: true },
  });
  await recordAudit(tx, {
    ...by,
    action: 'POOL_MEMBERSHIP_ADDED',
    target: { type: 'POOL_MEMBERSHIP', id },
    after: { poolId, ...body },
  });
  return requireMembership(tx, poolId, id);
}

/** Within {@link refusingOverlap}. @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT */
export async function endMembership(
  tx: Tx,
  { poolId, membershipId: id }: { readonly poolId: string; readonly membershipId: string },
  { validTo, expectedVersion }: EndMembershipBody,
  by: By,
): Promise<Membership> {
  await tx.$queryRaw`SELECT 1 AS locked FROM pool_memberships WHERE id = ${id}::uuid FOR UPDATE`;
  const before = await requireMembership(tx, poolId, id);
  requireVersion(before.version, expectedVersion);
  requireOrder(before.validFrom, validTo);
  if (before.validTo === validTo) return before;
  await tx.$executeRaw`
      UPDATE pool_memberships SET valid_to = ${validTo}::date, version = version + 1
      WHERE id = ${id}::uuid`;
  await recordAudit(tx, {
    ...by,
    action: 'POOL_MEMBERSHIP_ENDED',
    target: { type: 'POOL_MEMBERSHIP', id },
    before: { validTo: before.validTo },
    after: { validTo },
  });
  return requireMembership(tx, poolId, id);
}

function requireOrder(validFrom: string, validTo: string | null): void {
  if (validTo === null || validTo >= validFrom) return;
  throw new AppError('VALIDATION_FAILED', 'the last day is before the first', {
    details: [
      makeFinding(
        'INVALID_DATE_RANGE',
        'validTo',
        `Must not be before the first day, ${validFrom}.`,
      ),
    ],
  });
}

const EXCLUSION_VIOLATION = '23P01';

/** Runs a transaction. Whether two memberships share a day is the database's decision, also between two who add at once. @throws {AppError} CONFLICT */
export async function refusingOverlap<Value>(transact: () => Promise<Value>): Promise<Value> {
  try {
    return await transact();
  } catch (error) {
    if (sqlState(error) !== EXCLUSION_VIOLATION) throw error;
    throw new AppError('CONFLICT', 'the memberships would overlap', {
      message: 'The insurer is a member of this pool on one of these days already.',
      cause: error,
    });
  }
}
