import { makeConflict } from '../../../contract/conflict.ts';
import { AppError } from '../../../contract/errors.ts';
import { makeFinding } from '../../../contract/findings.ts';
import type { Page, PageQuery } from '../../../contract/machine/paging.ts';
import type { AssignBody, Assignee } from '../../../contract/staff/flags.ts';
import { PERMISSIONS } from '../../../contract/staff.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { readPage } from '../../../db/page.ts';
import type { Db, Tx } from '../../../db/prisma.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { type By, recordAudit } from '../audit.ts';
import { requireFlag } from './read-flags.ts';
import { refusal } from './review.ts';

const MAY_REVIEW = Prisma.sql`
  u.status = 'ACTIVE' AND u.role = ANY(${[...PERMISSIONS['flags:review']]}::text[])`;

/** Active users who may review flags, by their addresses. */
export function listAssignees(
  db: Pick<Db, '$queryRaw'>,
  { cursor, limit }: PageQuery,
): Promise<Page<Assignee>> {
  return readPage<Assignee>(db, {
    columns: Prisma.sql`u.id::text, u.email, u.role`,
    from: Prisma.sql`staff_users u`,
    conditions: [MAY_REVIEW],
    keys: [{ sql: Prisma.sql`u.email`, type: 'text' }],
    order: 'ASC',
    cursor,
    limit,
  });
}

/**
 * Says who works on an OPEN flag (D77). An assignment that changes nothing is not audited.
 * @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT
 */
export async function assignFlag(
  tx: Tx,
  keyring: Keyring,
  flagId: string,
  { assigneeId, expectedAssigneeId }: AssignBody,
  by: By,
): Promise<void> {
  if (assigneeId !== null) await requireReviewer(tx, assigneeId);
  const [before] = await tx.$queryRaw<{ assigneeId: string | null }[]>`
    SELECT assignee_id::text AS "assigneeId" FROM flags WHERE id = ${flagId}::uuid AND status = 'OPEN'
    FOR NO KEY UPDATE`;
  if (before === undefined) throw await refusal(tx, keyring, flagId, ['OPEN'], by);
  if (expectedAssigneeId !== undefined && expectedAssigneeId !== before.assigneeId) {
    throw makeConflict('STALE_VERSION', {
      reason: 'the assignee is another one than expected',
      message: 'The flag was assigned to somebody else meanwhile.',
      current: await requireFlag(tx, keyring, flagId, by.at),
    });
  }
  if (before.assigneeId === assigneeId) return;
  await tx.flag.update({
    where: { id: flagId },
    data: { assigneeId, assignedAt: assigneeId === null ? null : by.at },
    select: { id: true },
  });
  await recordAudit(tx, {
    ...by,
    action: 'FLAG_ASSIGNED',
    target: { type: 'FLAG', id: flagId },
    before: { assigneeId: before.assigneeId },
    after: { assigneeId },
  });
}

/** @throws {AppError} VALIDATION_FAILED when the user is not active or may not review flags */
async function requireReviewer(tx: Tx, userId: string): Promise<void> {
  const found = await tx.$queryRaw<object[]>`
    SELECT 1 AS found FROM staff_users u WHERE u.id = ${userId}::uuid AND ${MAY_REVIEW}`;
  if (found.length > 0) return;
  throw new AppError('VALIDATION_FAILED', 'the assignee may not review flags', {
    details: [
      makeFinding(
        'INVALID_FORMAT',
        'assigneeId',
        'Must be the id of an active user who may review flags.',
      ),
    ],
  });
}
