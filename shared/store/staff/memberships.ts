import { makeConflict } from '../../contract/conflict.ts';
import { AppError } from '../../contract/errors.ts';
import { makeFinding } from '../../contract/findings.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  AddMembershipBody,
  EndMembershipBody,
  InsurerMembership,
  Membership,
  MembershipQuery,
} from '../../contract/staff/pools.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPageById } from '../../db/page.ts';
import { sqlState, type Tx } from '../../db/prisma.ts';
import { type By, recordAudit } from './audit.ts';
import { lockRow } from './lock.ts';
import {
  ORGANIZATION_SUMMARY,
  requireOrganization,
  requireOrganizationOf,
} from './organizations.ts';
import { requirePool } from './pools.ts';

const SHOWN = {
  id: true,
  insurer: { select: ORGANIZATION_SUMMARY },
  validFrom: true,
  validTo: true,
  version: true,
  createdAt: true,
} as const satisfies Prisma.PoolMembershipSelect;

type Row = Prisma.PoolMembershipGetPayload<{ select: typeof SHOWN }>;

/** A CHECK constraint holds the type of an organization to the vocabulary of the contract. */
function membershipOf(row: Row): Membership {
  return inDays(row) as Membership;
}

interface Period {
  readonly validFrom: Date;
  readonly validTo: Date | null;
  readonly createdAt: Date;
}

function inDays<Stored extends Period>({ validFrom, validTo, createdAt, ...row }: Stored) {
  return {
    ...row,
    validFrom: dayOf(validFrom),
    validTo: validTo === null ? null : dayOf(validTo),
    createdAt: createdAt.toISOString(),
  };
}

/** Prisma reads a column of days as midnight UTC. */
function dayOf(midnight: Date): string {
  return midnight.toISOString().slice(0, 10);
}

function midnightOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** Latest first day first. @throws {AppError} NOT_FOUND */
export async function listMemberships(
  db: Tx,
  poolId: string,
  { insurerId, ...query }: MembershipQuery,
): Promise<Page<Membership>> {
  await requirePool(db, poolId);
  const conditions = [
    Prisma.sql`m.pool_id = ${poolId}::uuid`,
    insurerId !== undefined && Prisma.sql`m.insurer_id = ${insurerId}::uuid`,
  ];
  return readMemberships(db, conditions, query, async (ids) => {
    const rows = await db.poolMembership.findMany({ where: { id: { in: ids } }, select: SHOWN });
    return rows.map(membershipOf);
  });
}

const SHOWN_OF_INSURER = {
  id: true,
  pool: { select: { organization: { select: ORGANIZATION_SUMMARY } } },
  validFrom: true,
  validTo: true,
  version: true,
  createdAt: true,
} as const satisfies Prisma.PoolMembershipSelect;

/** Of all pools, latest first day first. @throws {AppError} NOT_FOUND */
export async function listMembershipsOfInsurer(
  db: Tx,
  insurerId: string,
  query: PeriodQuery,
): Promise<Page<InsurerMembership>> {
  await requireOrganization(db, insurerId);
  const conditions = [Prisma.sql`m.insurer_id = ${insurerId}::uuid`];
  return readMemberships(db, conditions, query, async (ids) => {
    const where = { id: { in: ids } };
    const rows = await db.poolMembership.findMany({ where, select: SHOWN_OF_INSURER });
    return rows.map(
      ({ pool, ...row }) => ({ ...inDays(row), pool: pool.organization }) as InsurerMembership,
    );
  });
}

type PeriodQuery = Omit<MembershipQuery, 'insurerId'>;

function readMemberships<Item extends { readonly id: string }>(
  db: Tx,
  conditions: readonly (Prisma.Sql | false)[],
  { on, cursor, limit }: PeriodQuery,
  readItems: (ids: string[]) => Promise<Item[]>,
): Promise<Page<Item>> {
  return readPageById(
    db,
    {
      id: Prisma.sql`m.id`,
      from: Prisma.sql`pool_memberships m`,
      conditions: [
        ...conditions,
        on !== undefined && Prisma.sql`daterange(m.valid_from, m.valid_to, '[]') @> ${on}::date`,
      ],
      keys: [
        { sql: Prisma.sql`m.valid_from`, type: 'date' },
        { sql: Prisma.sql`m.id`, type: 'uuid' },
      ],
      order: 'DESC',
      cursor,
      limit,
    },
    readItems,
  );
}

async function requireMembership(tx: Tx, poolId: string, id: string): Promise<Membership> {
  const row = await tx.poolMembership.findUnique({ where: { id, poolId }, select: SHOWN });
  if (row === null) throw new AppError('NOT_FOUND', 'no such membership of this pool');
  return membershipOf(row);
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
  const row = await tx.poolMembership.create({
    data: {
      poolId,
      insurerId,
      validFrom: midnightOf(validFrom),
      validTo: validTo === null ? null : midnightOf(validTo),
      createdAt: by.at,
    },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: 'POOL_MEMBERSHIP_ADDED',
    target: { type: 'POOL_MEMBERSHIP', id: row.id },
    after: { poolId, ...body },
  });
  return membershipOf(row);
}

/** Within {@link refusingOverlap}. @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT */
export async function endMembership(
  tx: Tx,
  { poolId, membershipId: id }: { readonly poolId: string; readonly membershipId: string },
  { validTo, expectedVersion }: EndMembershipBody,
  by: By,
): Promise<Membership> {
  // A membership of another pool is NOT_FOUND in any version. A membership never changes its pool.
  await requireMembership(tx, poolId, id);
  const readCurrent = () => requireMembership(tx, poolId, id);
  await lockRow(tx, 'pool_memberships', id, expectedVersion, readCurrent);
  const before = await requireMembership(tx, poolId, id);
  requireOrder(before.validFrom, validTo);
  if (before.validTo === validTo) return before;
  const row = await tx.poolMembership.update({
    where: { id },
    data: {
      validTo: validTo === null ? null : midnightOf(validTo),
      version: { increment: 1 },
    },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: 'POOL_MEMBERSHIP_ENDED',
    target: { type: 'POOL_MEMBERSHIP', id },
    before: { validTo: before.validTo },
    after: { validTo },
  });
  return membershipOf(row);
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

/**
 * Runs a transaction. A constraint of the database decides whether two memberships overlap, also if they are added at once.
 * @throws {AppError} CONFLICT
 */
export async function refusingOverlap<Value>(transact: () => Promise<Value>): Promise<Value> {
  try {
    return await transact();
  } catch (error) {
    if (sqlState(error) !== EXCLUSION_VIOLATION) throw error;
    throw makeConflict('OVERLAP', {
      reason: 'the memberships would overlap',
      message: 'The insurer is a member of this pool on one of these days already.',
      cause: error,
    });
  }
}
