import type { FlagStatus } from '../../contract/enums.ts';
import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type { FlagItem, FlagQuery } from '../../contract/staff/flags.ts';
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPage } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { type By, recordAudit } from './audit.ts';

type Stamped = 'reviewedAt' | 'createdAt';
interface FlagRow extends Omit<FlagItem, Stamped | 'ageDays'> {
  readonly reviewedAt: Date | null;
  readonly createdAt: Date;
}

const COLUMNS = Prisma.sql`
  f.id::text, f.type, f.status, f.certificate_id::text AS "certificateId", c.registry_reference AS "registryReference",
  rc.id::text AS "relatedCertificateId", rc.registry_reference AS "relatedRegistryReference",
  f.plate_number AS "plateNumber", insurer.code AS "insurerCode", insurer.name AS "insurerName",
  ro.name AS "relatedInsurerName", f.region, f.details, f.message, f.reviewed_by AS "reviewedBy",
  f.reviewed_at AS "reviewedAt", f.review_notes AS "reviewNotes", f.created_at AS "createdAt"`;
const FROM = Prisma.sql`
  flags f JOIN certificates c ON c.id = f.certificate_id
  JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
  LEFT JOIN certificates rc ON rc.id = f.related_certificate_id
  LEFT JOIN organizations ro ON ro.id = rc.issuing_insurer_id`;

const DAY_MS = 86_400_000;

/** Flags of all organizations; ages are as of `now`. */
export async function listFlags(db: Tx, query: FlagQuery, now: Date): Promise<Page<FlagItem>> {
  const { status, type, region, insurerCode, registryReference, order, cursor, limit } = query;
  const { ageDaysMin, ageDaysMax } = query;
  const page = await readPage<FlagRow>(db, {
    columns: COLUMNS,
    from: FROM,
    conditions: [
      status !== undefined && Prisma.sql`f.status = ${status}`,
      type !== undefined && Prisma.sql`f.type = ${type}`,
      region !== undefined && Prisma.sql`f.region = ${region}`,
      insurerCode !== undefined && Prisma.sql`insurer.code = ${insurerCode}`,
      registryReference !== undefined && Prisma.sql`c.registry_reference = ${registryReference}`,
      ageDaysMin !== undefined &&
        Prisma.sql`f.created_at <= ${daysBefore(now, ageDaysMin)}::timestamptz`,
      // A flag stays N days old until N + 1 days are over.
      ageDaysMax !== undefined &&
        Prisma.sql`f.created_at > ${daysBefore(now, ageDaysMax + 1)}::timestamptz`,
    ],
    ...newestFirst('f'),
    order: order === 'oldest' ? 'ASC' : 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map((row) => itemOf(row, now)) };
}

/** @throws {AppError} NOT_FOUND */
export async function requireFlag(db: Tx, flagId: string, now: Date): Promise<FlagItem> {
  const [row] = await db.$queryRaw<FlagRow[]>`
    SELECT ${COLUMNS} FROM ${FROM} WHERE f.id = ${flagId}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such flag');
  return itemOf(row, now);
}

/** The transitions that a reviewer makes (api.md, "Flag status"). */
const REVIEW_ACTIONS = {
  CLEARED: 'FLAG_CLEARED',
  REFERRED_TO_INSURER: 'FLAG_REFERRED',
} as const satisfies Partial<Record<FlagStatus, string>>;

export interface Review {
  readonly flagId: string;
  readonly status: keyof typeof REVIEW_ACTIONS;
  readonly notes: string;
}

/**
 * OPEN → CLEARED or REFERRED_TO_INSURER, with reviewer, time and notes. Of two reviewers at once, or a reviewer and an amendment
 * that resolves the flag, the first to commit decides.
 * @throws {AppError} NOT_FOUND, CONFLICT
 */
export async function reviewFlag(
  tx: Tx,
  { flagId, status, notes }: Review,
  by: By,
): Promise<FlagItem> {
  const review = {
    status,
    reviewedBy: by.actor.email,
    reviewedAt: by.at,
    reviewNotes: notes,
  };
  const { count } = await tx.flag.updateMany({
    where: { id: flagId, status: 'OPEN' },
    data: review,
  });
  const flag = await requireFlag(tx, flagId, by.at);
  if (count === 0) {
    throw new AppError('CONFLICT', `the flag is ${flag.status}`, {
      message: `This flag is no longer OPEN: it is ${flag.status}.`,
    });
  }
  await recordAudit(tx, {
    ...by,
    action: REVIEW_ACTIONS[status],
    target: { type: 'FLAG', id: flag.id },
    before: { status: 'OPEN' },
    after: review,
  });
  return flag;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function itemOf({ reviewedAt, createdAt, ...row }: FlagRow, now: Date): FlagItem {
  const ageMs = Math.max(now.getTime() - createdAt.getTime(), 0);
  return {
    ...row,
    reviewedAt: reviewedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ageDays: Math.floor(ageMs / DAY_MS),
  };
}
