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
import type { AuditAction } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { type AuditAct, recordAudit } from './audit.ts';
import { requireVersion } from './expected-version.ts';
import type { By } from './users.ts';

interface OrganizationRow extends Omit<Organization, 'createdAt'> {
  readonly createdAt: Date;
}

const COLUMNS = Prisma.sql`
  o.id::text, o.code, o.name, o.type, o.status, o.version, o.created_at AS "createdAt"`;

/** Newest first. */
export async function listOrganizations(
  db: Db,
  { type, status, text, cursor, limit }: OrganizationQuery,
): Promise<Page<Organization>> {
  const page = await readPage<OrganizationRow>(db, {
    columns: COLUMNS,
    from: Prisma.sql`organizations o`,
    conditions: [
      ...(type === undefined ? [] : [Prisma.sql`o.type = ${type}`]),
      ...(status === undefined ? [] : [Prisma.sql`o.status = ${status}`]),
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
  return { ...page, items: page.items.map(organizationOf) };
}

/** Whether one of the columns holds the text somewhere, whatever the case. */
export function holdsText(text: string, columns: readonly Prisma.Sql[]): Prisma.Sql {
  const found = columns.map(
    (column) => Prisma.sql`position(lower(${text}) IN lower(${column})) > 0`,
  );
  return Prisma.sql`(${Prisma.join(found, ' OR ')})`;
}

/** @throws {AppError} NOT_FOUND */
export async function requireOrganization(db: Tx, id: string): Promise<Organization> {
  const [row] = await db.$queryRaw<OrganizationRow[]>`
    SELECT ${COLUMNS} FROM organizations o WHERE o.id = ${id}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such organization');
  return organizationOf(row);
}

function organizationOf({ createdAt, ...row }: OrganizationRow): Organization {
  return { ...row, createdAt: createdAt.toISOString() };
}

/** Codes and names. */
export async function listRegulatorNames(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ code: string; name: string }[]>`
    SELECT code, name FROM organizations WHERE type = 'REGULATOR'`;
  return rows.flatMap(({ code, name }) => [code, name]);
}

/** @throws {AppError} CONFLICT */
export async function createOrganization(
  tx: Tx,
  body: CreateOrganizationBody,
  by: By,
): Promise<Organization> {
  const id = await insertOrganization(tx, body, by.at);
  await recordAct(tx, 'ORGANIZATION_CREATED', id, by, { after: body });
  return requireOrganization(tx, id);
}

/** Returns the id. @throws {AppError} CONFLICT when another organization has the code */
export async function insertOrganization(
  tx: Tx,
  {
    code,
    name,
    type,
  }: { readonly code: string; readonly name: string; readonly type: OrganizationType },
  now: Date,
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO organizations (code, name, type, created_at)
    VALUES (${code}, ${name}, ${type}, ${now}::timestamptz)
    ON CONFLICT (code) DO NOTHING RETURNING id::text`;
  if (row !== undefined) return row.id;
  throw new AppError('CONFLICT', 'the code is taken', {
    message: 'Another organization has this code.',
  });
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export async function renameOrganization(
  tx: Tx,
  id: string,
  { name, expectedVersion }: RenameOrganizationBody,
  by: By,
): Promise<Organization> {
  const before = await lockOrganization(tx, id);
  requireVersion(before.version, expectedVersion);
  if (before.name === name) return before;
  await tx.$executeRaw`
    UPDATE organizations SET name = ${name}, version = version + 1 WHERE id = ${id}::uuid`;
  const change = { before: { name: before.name }, after: { name } };
  await recordAct(tx, 'ORGANIZATION_RENAMED', id, by, change);
  return requireOrganization(tx, id);
}

/** @throws {AppError} NOT_FOUND */
export async function setOrganizationStatus(
  tx: Tx,
  id: string,
  status: OrganizationStatus,
  by: By,
): Promise<Organization> {
  const before = await lockOrganization(tx, id);
  if (before.status === status) return before;
  await tx.$executeRaw`
    UPDATE organizations SET status = ${status}, version = version + 1 WHERE id = ${id}::uuid`;
  const action = status === 'SUSPENDED' ? 'ORGANIZATION_SUSPENDED' : 'ORGANIZATION_REACTIVATED';
  await recordAct(tx, action, id, by, { before: { status: before.status }, after: { status } });
  return requireOrganization(tx, id);
}

/** Transmissions that name the organization are recorded meanwhile. */
async function lockOrganization(tx: Tx, id: string): Promise<Organization> {
  await tx.$queryRaw`SELECT 1 AS locked FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return requireOrganization(tx, id);
}

function recordAct(
  tx: Tx,
  action: AuditAction,
  id: string,
  by: By,
  change: Pick<AuditAct, 'before' | 'after'>,
): Promise<void> {
  return recordAudit(tx, { ...by, action, target: { type: 'ORGANIZATION', id }, ...change });
}

/** @throws {AppError} VALIDATION_FAILED when no organization of one of the types has the id that a field of the body names */
export async function requireOrganizationOf(
  tx: Tx,
  field: string,
  id: string,
  types: readonly OrganizationType[],
): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM organizations WHERE id = ${id}::uuid AND type = ANY(${[...types]}::text[])`;
  if (rows.length > 0) return;
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
