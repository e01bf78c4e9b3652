import { makeConflict } from '../../contract/conflict.ts';
import type { OrganizationStatus, OrganizationType } from '../../contract/enums.ts';
import { AppError } from '../../contract/errors.ts';
import { makeFinding } from '../../contract/findings.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  CreateOrganizationBody,
  Organization,
  OrganizationQuery,
  RenameOrganizationBody,
} from '../../contract/staff/organizations.ts';
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPageById } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { type By, recordAudit } from './audit.ts';
import { lockRow } from './lock.ts';

/** An organization as other rows show it. */
export const ORGANIZATION_SUMMARY = {
  id: true,
  code: true,
  name: true,
  type: true,
} as const satisfies Prisma.OrganizationSelect;

const SHOWN = {
  ...ORGANIZATION_SUMMARY,
  status: true,
  version: true,
  createdAt: true,
} as const satisfies Prisma.OrganizationSelect;

type Row = Prisma.OrganizationGetPayload<{ select: typeof SHOWN }>;

/** CHECK constraints hold the columns of text to the vocabularies of the contract. */
function organizationOf({ createdAt, ...row }: Row): Organization {
  return { ...row, createdAt: createdAt.toISOString() } as Organization;
}

/** Newest first. */
export function listOrganizations(
  db: Tx,
  { type, status, code, text, cursor, limit }: OrganizationQuery,
): Promise<Page<Organization>> {
  return readPageById(
    db,
    {
      id: Prisma.sql`o.id`,
      from: Prisma.sql`organizations o`,
      conditions: [
        type !== undefined && Prisma.sql`o.type = ${type}`,
        status !== undefined && Prisma.sql`o.status = ${status}`,
        code !== undefined && Prisma.sql`o.code = ${code}`,
        text !== undefined && containsText(text, ['o.code', 'o.name']),
      ],
      ...newestFirst('o'),
      cursor,
      limit,
    },
    async (ids) => {
      const rows = await db.organization.findMany({ where: { id: { in: ids } }, select: SHOWN });
      return rows.map(organizationOf);
    },
  );
}

/** A condition: one of the columns contains the text, in upper or lower case. */
export function containsText(text: string, columns: readonly string[]): Prisma.Sql {
  const found = columns.map(
    (column) => Prisma.sql`position(lower(${text}) IN lower(${Prisma.raw(column)})) > 0`,
  );
  return Prisma.sql`(${Prisma.join(found, ' OR ')})`;
}

/** @throws {AppError} NOT_FOUND */
export async function requireOrganization(db: Tx, id: string): Promise<Organization> {
  const row = await db.organization.findUnique({ where: { id }, select: SHOWN });
  if (row === null) throw new AppError('NOT_FOUND', 'no such organization');
  return organizationOf(row);
}

/** Codes and names of the regulators. */
export async function listRegulatorNames(db: Tx): Promise<string[]> {
  const regulators = await db.organization.findMany({
    where: { type: 'REGULATOR' },
    select: { code: true, name: true },
  });
  return regulators.flatMap(({ code, name }) => [code, name]);
}

/** @throws {AppError} CONFLICT */
export async function createOrganization(
  tx: Tx,
  body: CreateOrganizationBody,
  by: By,
): Promise<Organization> {
  const organization = await insertOrganization(tx, body, by.at);
  await recordAudit(tx, {
    ...by,
    action: 'ORGANIZATION_CREATED',
    target: { type: 'ORGANIZATION', id: organization.id },
    after: body,
  });
  return organization;
}

interface NewOrganization {
  readonly code: string;
  readonly name: string;
  readonly type: OrganizationType;
}

/** @throws {AppError} CONFLICT when another organization has the code */
export async function insertOrganization(
  tx: Tx,
  { code, name, type }: NewOrganization,
  now: Date,
): Promise<Organization> {
  const [row] = await tx.organization.createManyAndReturn({
    data: { code, name, type, createdAt: now },
    skipDuplicates: true,
    select: SHOWN,
  });
  if (row !== undefined) return organizationOf(row);
  const other = await tx.organization.findUnique({ where: { code }, select: SHOWN });
  throw makeConflict('CODE_TAKEN', {
    reason: 'the code is taken',
    message: 'Another organization has this code.',
    ...(other !== null && { current: organizationOf(other) }),
  });
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export async function renameOrganization(
  tx: Tx,
  id: string,
  { name, expectedVersion }: RenameOrganizationBody,
  by: By,
): Promise<Organization> {
  await lockRow(tx, 'organizations', id, expectedVersion, () => requireOrganization(tx, id));
  const before = await requireOrganization(tx, id);
  if (before.name === name) return before;
  const after = await tx.organization.update({
    where: { id },
    data: { name, version: { increment: 1 } },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: 'ORGANIZATION_RENAMED',
    target: { type: 'ORGANIZATION', id },
    before: { name: before.name },
    after: { name },
  });
  return organizationOf(after);
}

/** @throws {AppError} NOT_FOUND */
export async function setOrganizationStatus(
  tx: Tx,
  id: string,
  status: OrganizationStatus,
  by: By,
): Promise<Organization> {
  await lockRow(tx, 'organizations', id);
  const before = await requireOrganization(tx, id);
  if (before.status === status) return before;
  const after = await tx.organization.update({
    where: { id },
    data: { status, version: { increment: 1 } },
    select: SHOWN,
  });
  await recordAudit(tx, {
    ...by,
    action: status === 'SUSPENDED' ? 'ORGANIZATION_SUSPENDED' : 'ORGANIZATION_REACTIVATED',
    target: { type: 'ORGANIZATION', id },
    before: { status: before.status },
    after: { status },
  });
  return organizationOf(after);
}

/** Checks the id in a field of a body. @throws {AppError} VALIDATION_FAILED when no organization of these types has it */
export async function requireOrganizationOf(
  tx: Tx,
  field: string,
  id: string,
  types: readonly OrganizationType[],
): Promise<void> {
  const found = await tx.organization.count({ where: { id, type: { in: [...types] } } });
  if (found > 0) return;
  throw new AppError('VALIDATION_FAILED', `${field} names no organization of these types`, {
    details: [
      makeFinding(
        'INVALID_FORMAT',
        field,
        `Must be the id of an organization: ${types.join(', ')}.`,
      ),
    ],
  });
}
