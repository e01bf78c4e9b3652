import type { Page } from '../../contract/machine/paging.ts';
import type { AuditItem, AuditQuery } from '../../contract/staff/audit.ts';
import type { ActorKind, AuditAction, AuditTargetType, Role } from '../../contract/staff.ts';
import { type AuditEntry, Prisma } from '../../db/generated/client.ts';
import { isOneOf, readPage } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { type ChainedEntry, chainHash, entryOf } from './audit-chain.ts';
import { type AuditKeys, lockHead, sealHead, sealStateOf } from './audit-seal.ts';

export interface AuditActor {
  readonly kind: ActorKind;
  readonly id: string | null;
  readonly email: string | null;
  readonly role: Role | null;
}

/** The actor, address and time of an act, and the keys that seal its entry: the same for all acts of a request or command. */
export interface By {
  readonly actor: AuditActor;
  /** Null for a command. */
  readonly address: string | null;
  readonly requestId: string;
  readonly at: Date;
  /** Why, in the words of the actor. It becomes a member of `after`. */
  readonly reason?: string | undefined;
  /** The keys of this process: they seal the head of the chain. */
  readonly keys: AuditKeys;
}

/** One act. Personal data in `before` and `after` must be masked already; secrets must not be there at all. */
export interface AuditAct extends By {
  readonly action: AuditAction;
  readonly target: { readonly type: AuditTargetType; readonly id: string | null };
  readonly before?: object | null;
  readonly after?: object | null;
}

/**
 * Appends an entry in the transaction of the act itself: both are written or neither. It comes last in the transaction, because
 * it holds the lock on the head of the chain, which all acts share, until the transaction ends.
 */
export async function recordAudit(tx: Tx, act: AuditAct): Promise<void> {
  const head = await lockHead(tx);
  const isTrusted = sealStateOf(act.keys, head) === 'SEALED';
  const { actor, target, address, requestId, at, action, reason } = act;
  const sequence = Number(head.sequence) + 1;
  const entry: ChainedEntry = {
    sequence,
    at: at.toISOString(),
    actor,
    action,
    target,
    address,
    requestId,
    before: jsonOf(act.before),
    after: jsonOf(reason === undefined ? act.after : { ...act.after, reason }),
  };
  const hash = chainHash(head.hash, entry);
  await tx.auditEntry.create({
    data: {
      sequence,
      at,
      actorKind: actor.kind,
      actorId: actor.id,
      actorEmail: actor.email,
      actorRole: actor.role,
      action,
      targetType: target.type,
      targetId: target.id,
      address,
      requestId,
      before: entry.before ?? Prisma.DbNull,
      after: entry.after ?? Prisma.DbNull,
      previousHash: head.hash,
      hash,
    },
    select: { sequence: true },
  });
  // A chain whose seal is missing or false stays so: a rewritten entry must not be sealed by the next act.
  if (isTrusted) await sealHead(tx, act.keys, { sequence: BigInt(sequence), hash });
}

/** The value as JSON holds it: dates are text, undefined members are gone. */
function jsonOf(value: object | null | undefined): Prisma.InputJsonObject | null {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}

const COLUMNS = Prisma.sql`
  sequence, at, actor_kind AS "actorKind", actor_id::text AS "actorId", actor_email AS "actorEmail", actor_role AS "actorRole",
  action, target_type AS "targetType", target_id AS "targetId", address, request_id AS "requestId", before, after,
  previous_hash AS "previousHash", hash`;

/** Newest first. */
export async function listAudit(db: Tx, query: AuditQuery): Promise<Page<AuditItem>> {
  const { action, actorId, targetType, targetId, requestId, from, to, cursor, limit } = query;
  const page = await readPage<AuditEntry & { readonly repeats: number }>(db, {
    columns: Prisma.sql`${COLUMNS}, coalesce(repeats, 0) AS repeats`,
    from: Prisma.sql`audit_entries LEFT JOIN audit_repeats USING (sequence)`,
    conditions: [
      action !== undefined && isOneOf(Prisma.sql`action`, action),
      actorId !== undefined && Prisma.sql`actor_id = ${actorId}::uuid`,
      targetType !== undefined && Prisma.sql`target_type = ${targetType}`,
      targetId !== undefined && Prisma.sql`target_id = ${targetId}`,
      requestId !== undefined && Prisma.sql`request_id = ${requestId}`,
      from !== undefined && Prisma.sql`at >= ${from}::timestamptz`,
      to !== undefined && Prisma.sql`at < ${to}::timestamptz`,
    ],
    keys: [{ sql: Prisma.sql`sequence`, type: 'bigint' }],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(itemOf) };
}

function itemOf({ repeats, ...row }: AuditEntry & { readonly repeats: number }): AuditItem {
  return { ...entryOf(row), repeats, hash: Buffer.from(row.hash).toString('hex') } as AuditItem;
}
