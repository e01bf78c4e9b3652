import type { Page, PageQuery } from '../../../contract/machine/paging.ts';
import type { OwnSession } from '../../../contract/staff/auth.ts';
import { SESSION_ABSOLUTE_SECONDS } from '../../../contract/staff.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { readPage } from '../../../db/page.ts';
import type { Tx } from '../../../db/prisma.ts';
import { isLiveAt, type StaffSession } from './sessions.ts';

interface OwnSessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly address: string;
}

/** The live sessions of the user of `current`, latest sign-in first. */
export async function listOwnSessions(
  db: Tx,
  current: StaffSession,
  { cursor, limit }: PageQuery,
  now: Date,
): Promise<Page<OwnSession>> {
  const page = await readPage<OwnSessionRow>(db, {
    columns: Prisma.sql`s.id::text, s.started_at AS "createdAt", s.seen_at AS "lastSeenAt", s.address`,
    from: Prisma.sql`staff_sessions s`,
    conditions: [Prisma.sql`s.user_id = ${current.userId}::uuid`, isLiveAt(now)],
    keys: [
      { sql: Prisma.sql`s.started_at`, type: 'timestamptz' },
      { sql: Prisma.sql`s.id`, type: 'uuid' },
    ],
    order: 'DESC',
    cursor,
    limit,
  });
  return {
    ...page,
    items: page.items.map(({ id, createdAt, lastSeenAt, address }) => ({
      id,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      expiresAt: new Date(createdAt.getTime() + SESSION_ABSOLUTE_SECONDS * 1_000).toISOString(),
      address,
      current: id === current.id,
    })),
  };
}

/** False when it is no live session of this user. */
export async function endOwnSession(
  tx: Tx,
  { userId, id, now }: { readonly userId: string; readonly id: string; readonly now: Date },
): Promise<boolean> {
  const ended = await tx.$executeRaw`
    DELETE FROM staff_sessions s WHERE s.id = ${id}::uuid AND s.user_id = ${userId}::uuid AND ${isLiveAt(now)}`;
  return ended === 1;
}

/** Ends the user's other sessions, and sign-ins that are under way. Returns how many of them were live sessions. */
export async function endOtherSessions(
  tx: Tx,
  { userId, idHash }: StaffSession,
  now: Date,
): Promise<number> {
  const ended = await tx.$queryRaw<{ isLive: boolean }[]>`
    DELETE FROM staff_sessions s WHERE s.user_id = ${userId}::uuid AND s.id_hash <> ${idHash}
    RETURNING ${isLiveAt(now)} AS "isLive"`;
  return ended.filter(({ isLive }) => isLive).length;
}

/** Ends every session of a user, and sign-ins that are under way. Returns how many of them were live sessions. */
export async function endSessionsOf(tx: Tx, userId: string, now: Date): Promise<number> {
  const ended = await tx.$queryRaw<{ isLive: boolean }[]>`
    DELETE FROM staff_sessions s WHERE s.user_id = ${userId}::uuid RETURNING ${isLiveAt(now)} AS "isLive"`;
  return ended.filter(({ isLive }) => isLive).length;
}
