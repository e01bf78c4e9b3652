import { AppError } from '../../../contract/errors.ts';
import type { Page } from '../../../contract/machine/paging.ts';
import type { FlagFilter, FlagItem, FlagQuery } from '../../../contract/staff/flags.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { type Condition, isOneOf, newestFirst, readPage } from '../../../db/page.ts';
import type { Db } from '../../../db/prisma.ts';
import { normalizeIdentifier } from '../../../domain/identifiers.ts';
import type { SubmittedOperator } from '../../../domain/registration/submission.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { openJson } from '../../registry/records/record-columns.ts';
import { normalizeEmail } from '../sign-in/credentials.ts';

type ReadDb = Pick<Db, '$queryRaw'>;
type Stamped = 'reviewedAt' | 'createdAt' | 'assignedAt';
interface FlagRow extends Omit<FlagItem, Stamped | 'ageDays' | 'operatorName'> {
  readonly reviewedAt: Date | null;
  readonly createdAt: Date;
  readonly assignedAt: Date | null;
  readonly operatorId: string;
  readonly operatorSealed: string;
}

const COLUMNS = Prisma.sql`
  f.id::text, f.type, f.status, f.certificate_id::text AS "certificateId", c.registry_reference AS "registryReference",
  rc.id::text AS "relatedCertificateId", rc.registry_reference AS "relatedRegistryReference",
  f.plate_number AS "plateNumber", insurer.code AS "insurerCode", insurer.name AS "insurerName",
  ro.name AS "relatedInsurerName", f.region, f.details, f.message, f.reviewed_by AS "reviewedBy",
  f.reviewed_at AS "reviewedAt", f.review_notes AS "reviewNotes", f.created_at AS "createdAt",
  p.policy_number AS "policyNumber", c.coc_number AS "cocNumber", f.vehicle_id::text AS "vehicleId",
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'email', u.email) END AS assignee,
  f.assigned_at AS "assignedAt", c.operator_id::text AS "operatorId",
  encode(c.operator_sealed, 'base64') AS "operatorSealed"`;

/** The tables that the filters need. */
export const FLAG_TABLES = Prisma.sql`
  flags f JOIN certificates c ON c.id = f.certificate_id
  JOIN organizations insurer ON insurer.id = c.issuing_insurer_id`;
const TABLES = Prisma.sql`
  ${FLAG_TABLES} JOIN policies p ON p.id = c.policy_id
  LEFT JOIN certificates rc ON rc.id = f.related_certificate_id
  LEFT JOIN organizations ro ON ro.id = rc.issuing_insurer_id
  LEFT JOIN staff_users u ON u.id = f.assignee_id`;

const DAY_MS = 86_400_000;

/** Flags of all organizations; ages are as of `now`. */
export async function listFlags(
  db: ReadDb,
  keyring: Keyring,
  query: FlagQuery,
  now: Date,
): Promise<Page<FlagItem>> {
  const { order, cursor, limit } = query;
  const conditions = flagConditions(query, now);
  const page = await readPage<FlagRow>(db, {
    columns: COLUMNS,
    from: TABLES,
    conditions,
    ...newestFirst('f'),
    order: order === 'oldest' ? 'ASC' : 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map((row) => itemOf(keyring, row, now)) };
}

/** On the tables of `FLAG_TABLES`. Ages are as of `now`. */
export function flagConditions(filter: FlagFilter, now: Date): Condition[] {
  const { status, type, region, insurerCode, registryReference, plateNumber } = filter;
  const { ageDaysMin, ageDaysMax, assigned, assigneeId } = filter;
  const { reviewedBy, reviewedFrom, reviewedTo } = filter;
  return [
    status !== undefined && isOneOf(Prisma.sql`f.status`, status),
    type !== undefined && isOneOf(Prisma.sql`f.type`, type),
    region !== undefined && isOneOf(Prisma.sql`f.region`, region),
    insurerCode !== undefined && isOneOf(Prisma.sql`insurer.code`, insurerCode),
    registryReference !== undefined && Prisma.sql`c.registry_reference = ${registryReference}`,
    plateNumber !== undefined &&
      Prisma.sql`f.plate_number = ${normalizeIdentifier(plateNumber) ?? ''}`,
    ageDaysMin !== undefined &&
      Prisma.sql`f.created_at <= ${daysBefore(now, ageDaysMin)}::timestamptz`,
    // A flag stays N days old until N + 1 days are over.
    ageDaysMax !== undefined &&
      Prisma.sql`f.created_at > ${daysBefore(now, ageDaysMax + 1)}::timestamptz`,
    assigned !== undefined && Prisma.raw(`f.assignee_id IS ${assigned ? 'NOT ' : ''}NULL`),
    assigneeId !== undefined && Prisma.sql`f.assignee_id = ${assigneeId}::uuid`,
    reviewedBy !== undefined && Prisma.sql`f.reviewed_by = ${normalizeEmail(reviewedBy)}`,
    reviewedFrom !== undefined && Prisma.sql`f.reviewed_at >= ${reviewedFrom}::timestamptz`,
    reviewedTo !== undefined && Prisma.sql`f.reviewed_at < ${reviewedTo}::timestamptz`,
  ];
}

/** @throws {AppError} NOT_FOUND */
export async function requireFlag(
  db: ReadDb,
  keyring: Keyring,
  flagId: string,
  now: Date,
): Promise<FlagItem> {
  const [row] = await db.$queryRaw<FlagRow[]>`
    SELECT ${COLUMNS} FROM ${TABLES} WHERE f.id = ${flagId}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such flag');
  return itemOf(keyring, row, now);
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function itemOf(keyring: Keyring, row: FlagRow, now: Date): FlagItem {
  const { reviewedAt, createdAt, assignedAt, operatorId, operatorSealed, ...item } = row;
  const { name } = openJson<SubmittedOperator>(keyring, operatorSealed, operatorId);
  const ageMs = Math.max(now.getTime() - createdAt.getTime(), 0);
  return {
    ...item,
    operatorName: name ?? '',
    reviewedAt: reviewedAt?.toISOString() ?? null,
    assignedAt: assignedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ageDays: Math.floor(ageMs / DAY_MS),
  };
}
