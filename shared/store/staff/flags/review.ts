import { makeConflict } from '../../../contract/conflict.ts';
import type { FlagStatus } from '../../../contract/enums.ts';
import type { AuditAction } from '../../../contract/staff.ts';
import type { Tx } from '../../../db/prisma.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { insertChangeRows } from '../../registry/feed/insert-change-rows.ts';
import { type By, recordAudit } from '../audit.ts';
import { requireFlag } from './read-flags.ts';

/** The transitions that a reviewer makes (api.md, "Flag status"), and the reopening (D77). */
const TRANSITIONS = {
  CLEARED: { from: ['OPEN'], action: 'FLAG_CLEARED' },
  REFERRED_TO_INSURER: { from: ['OPEN'], action: 'FLAG_REFERRED' },
  OPEN: { from: ['CLEARED', 'REFERRED_TO_INSURER'], action: 'FLAG_REOPENED' },
} as const satisfies Partial<
  Record<FlagStatus, { from: readonly FlagStatus[]; action: AuditAction }>
>;

export interface Review {
  readonly flagId: string;
  readonly status: keyof typeof TRANSITIONS;
  readonly notes: string;
}

/**
 * OPEN → CLEARED or REFERRED_TO_INSURER, with reviewer, time and notes; or back to OPEN, which removes these from the flag. Of two
 * reviewers at once, or a reviewer and an amendment that resolves the flag, the first to commit decides.
 * @throws {AppError} NOT_FOUND, CONFLICT
 */
export async function reviewFlag(
  tx: Tx,
  keyring: Keyring,
  { flagId, status, notes }: Review,
  by: By,
): Promise<void> {
  const { from, action } = TRANSITIONS[status];
  const [before] = await tx.$queryRaw<Reviewed[]>`
    SELECT certificate_id::text AS "certificateId", status, reviewed_by AS "reviewedBy", reviewed_at AS "reviewedAt",
      review_notes AS "reviewNotes"
    FROM flags WHERE id = ${flagId}::uuid AND status = ANY(${[...from]}::text[]) FOR NO KEY UPDATE`;
  if (before === undefined) throw await refusal(tx, keyring, flagId, from, by);
  const review = { reviewedBy: by.actor.email, reviewedAt: by.at, reviewNotes: notes };
  const isReopened = status === 'OPEN';
  await tx.flag.update({
    where: { id: flagId },
    data: { status, ...(isReopened ? NOT_REVIEWED : review) },
    select: { id: true },
  });
  const { certificateId, ...reviewed } = before;
  await recordAudit(tx, {
    ...by,
    action,
    target: { type: 'FLAG', id: flagId },
    before: isReopened ? reviewed : { status: before.status },
    after: isReopened ? { status, reviewNotes: notes } : { status, ...review },
  });
  await insertChangeRows(tx, [
    { type: 'FLAG_CHANGED', transmissionId: null, certificateId, flagId },
  ]);
}

interface Reviewed {
  readonly certificateId: string;
  readonly status: FlagStatus;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly reviewNotes: string | null;
}

const NOT_REVIEWED = { reviewedBy: null, reviewedAt: null, reviewNotes: null };

/** The refusal of an act on a flag that is not in one of these statuses. @throws {AppError} NOT_FOUND */
export async function refusal(
  tx: Tx,
  keyring: Keyring,
  flagId: string,
  from: readonly FlagStatus[],
  { at }: By,
): Promise<Error> {
  const current = await requireFlag(tx, keyring, flagId, at);
  return makeConflict('ALREADY_DECIDED', {
    reason: `the flag is ${current.status}`,
    message: `This flag is no longer ${from.join(' or ')}: it is ${current.status}.`,
    current,
  });
}
