import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Page } from '../../contract/machine/paging.ts';
import type { AuditItem, AuditQuery } from '../../contract/staff/audit.ts';
import type { ActorKind, AuditAction, AuditTargetType, Role } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { type AuditKeys, lockHead, type StoredHead, sealHead, sealStateOf } from './audit-seal.ts';

export interface AuditActor {
  readonly kind: ActorKind;
  readonly id: string | null;
  readonly email: string | null;
  readonly role: Role | null;
}

/** One act. Personal data in `before` and `after` must be masked already; secrets must not be there at all. */
export interface AuditAct {
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: { readonly type: AuditTargetType; readonly id: string | null };
  /** Null for a command. */
  readonly address: string | null;
  readonly requestId: string;
  readonly at: Date;
  /** Of this process: they seal the head of the chain. */
  readonly keys: AuditKeys;
  readonly before?: object | null;
  readonly after?: object | null;
}

/** Who acts, from where and when, and the keys that seal the entry: the same for every act of one request or command. */
export type By = Pick<AuditAct, 'actor' | 'address' | 'requestId' | 'at' | 'keys'>;

/** What is hashed besides the hash before it. */
interface ChainedEntry {
  readonly sequence: number;
  readonly at: string;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string | null };
  readonly address: string | null;
  readonly requestId: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditHead {
  readonly sequence: number;
  /** Hex. */
  readonly hash: string;
}

/** The hash before the first entry. */
const GENESIS = Buffer.alloc(32);

/**
 * Appends an entry in the transaction of the act itself: both are there or neither. It holds the lock under which entries are
 * chained until the transaction ends, so it comes last in it.
 */
export async function recordAudit(tx: Tx, act: AuditAct): Promise<void> {
  const head = await lockHead(tx);
  const isTrusted = sealStateOf(act.keys, head) === 'SEALED';
  const { actor, target, address, requestId, at, action } = act;
  const [before, after] = [jsonOf(act.before), jsonOf(act.after)];
  const previousHash = Buffer.from(head.hash);
  const sequence = Number(head.sequence) + 1;
  const entry = {
    sequence,
    at: at.toISOString(),
    actor,
    action,
    target,
    address,
    requestId,
    before,
    after,
  };
  const hash = chainHash(previousHash, entry);
  await tx.$executeRaw`
    INSERT INTO audit_entries (sequence, at, actor_kind, actor_id, actor_email, actor_role, action, target_type, target_id,
      address, request_id, before, after, previous_hash, hash)
    VALUES (${sequence}::bigint, ${entry.at}::timestamptz, ${actor.kind}, ${actor.id}::uuid, ${actor.email}, ${actor.role},
      ${action}, ${target.type}, ${target.id}, ${address}, ${requestId}, ${textOf(before)}::jsonb, ${textOf(after)}::jsonb,
      ${previousHash}, ${hash})`;
  // A chain whose seal is gone or false stays without one: what was rewritten must not be sealed by the next act.
  if (isTrusted) await sealHead(tx, act.keys, { sequence: BigInt(sequence), hash });
}

/** SHA-256 over the hash before it and the RFC 8785 form of the entry. */
function chainHash(
  previousHash: Buffer,
  { sequence, at, actor, action, target, address, requestId, before, after }: ChainedEntry,
): Buffer {
  const { kind, id, email, role } = actor;
  const canonical = canonicalize({
    sequence,
    at,
    actor: { kind, id, email, role },
    action,
    target: { type: target.type, id: target.id },
    address,
    requestId,
    before,
    after,
  });
  return createHash('sha256')
    .update(previousHash)
    .update(canonical ?? '', 'utf8')
    .digest();
}

/** What JSON keeps of it: dates as text, undefined members gone. */
function jsonOf(value: object | null | undefined): unknown {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}

function textOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

interface AuditRow {
  readonly sequence: bigint;
  readonly at: Date;
  readonly actorKind: ActorKind;
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly actorRole: Role | null;
  readonly action: AuditAction;
  readonly targetType: AuditTargetType;
  readonly targetId: string | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

const COLUMNS = Prisma.sql`
  sequence, at, actor_kind AS "actorKind", actor_id::text AS "actorId", actor_email AS "actorEmail", actor_role AS "actorRole",
  action, target_type AS "targetType", target_id AS "targetId", address, request_id AS "requestId", before, after,
  previous_hash AS "previousHash", hash`;

/** Latest first. */
export async function listAudit(db: Db, query: AuditQuery): Promise<Page<AuditItem>> {
  const { action, actorId, targetType, targetId, from, to, cursor, limit } = query;
  const page = await readPage<AuditRow & { readonly repeats: number }>(db, {
    columns: Prisma.sql`${COLUMNS}, coalesce(repeats, 0) AS repeats`,
    from: Prisma.sql`audit_entries LEFT JOIN audit_repeats USING (sequence)`,
    conditions: [
      ...(action === undefined ? [] : [Prisma.sql`action = ${action}`]),
      ...(actorId === undefined ? [] : [Prisma.sql`actor_id = ${actorId}::uuid`]),
      ...(targetType === undefined ? [] : [Prisma.sql`target_type = ${targetType}`]),
      ...(targetId === undefined ? [] : [Prisma.sql`target_id = ${targetId}`]),
      ...(from === undefined ? [] : [Prisma.sql`at >= ${from}::timestamptz`]),
      ...(to === undefined ? [] : [Prisma.sql`at < ${to}::timestamptz`]),
    ],
    keys: [{ sql: Prisma.sql`sequence`, type: 'bigint' }],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(itemOf) };
}

function itemOf(row: AuditRow & { readonly repeats: number }): AuditItem {
  const hash = Buffer.from(row.hash).toString('hex');
  return { ...entryOf(row), repeats: row.repeats, hash };
}

function entryOf(row: AuditRow): Omit<AuditItem, 'repeats' | 'hash'> {
  const { sequence, at, action, address, requestId, before, after } = row;
  return {
    sequence: Number(sequence),
    at: at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, email: row.actorEmail, role: row.actorRole },
    action,
    target: { type: row.targetType, id: row.targetId },
    address,
    requestId,
    before,
    after,
  };
}

export type ChainReport =
  | {
      readonly isSound: true;
      readonly head: AuditHead;
      /** False where a release without seals wrote the last entry, or somebody took the seal away. */
      readonly isSealed: boolean;
    }
  | {
      readonly isSound: false;
      /** The first entry that is missing, changed or doesn't continue the one before it. */
      readonly brokenAt: number;
      readonly reason: string;
    };

const VERIFIED_ENTRIES_AT_ONCE = 1_000;

/**
 * Walks the chain from the first entry to the head, in one snapshot. With `expected`, a head that was written down earlier, it also
 * shows whether everything was rewritten since, the head included.
 */
export async function verifyAudit(
  db: Db,
  keys: AuditKeys,
  expected?: AuditHead,
): Promise<ChainReport> {
  return db.$transaction(
    async (tx) => {
      const [row] = await tx.$queryRaw<StoredHead[]>`
        SELECT sequence, hash, seal, seal_key_id AS "sealKeyId" FROM audit_head`;
      const head =
        row === undefined ? { sequence: 0, hash: '' } : headOf(Number(row.sequence), row.hash);
      const report = await walkChain(tx, head, expected);
      if (!report.isSound || row === undefined) return report;
      const state = sealStateOf(keys, row);
      if (state === 'FALSE_SEAL')
        return {
          isSound: false,
          brokenAt: head.sequence,
          reason: 'the seal of the head was not made with these keys',
        };
      return { ...report, isSealed: state === 'SEALED' };
    },
    { isolationLevel: 'RepeatableRead', timeout: VERIFY_TIMEOUT_MS },
  );
}

const VERIFY_TIMEOUT_MS = 15 * 60_000;

async function walkChain(
  tx: Tx,
  head: AuditHead,
  expected: AuditHead | undefined,
): Promise<ChainReport> {
  let previous: Buffer = GENESIS;
  let at = 0;
  for (;;) {
    const rows = await tx.$queryRaw<AuditRow[]>`
      SELECT ${COLUMNS} FROM audit_entries WHERE sequence > ${at}::bigint ORDER BY sequence LIMIT ${VERIFIED_ENTRIES_AT_ONCE}`;
    for (const row of rows) {
      const reason = flawOf(row, at + 1, previous);
      if (reason !== undefined) return { isSound: false, brokenAt: at + 1, reason };
      previous = Buffer.from(row.hash);
      at += 1;
      if (at === expected?.sequence && previous.toString('hex') !== expected.hash) {
        return {
          isSound: false,
          brokenAt: at,
          reason: 'it is not the entry that was written down',
        };
      }
    }
    if (rows.length < VERIFIED_ENTRIES_AT_ONCE) break;
  }
  const isMissing = Math.max(head.sequence, expected?.sequence ?? 0) > at;
  if (isMissing) return { isSound: false, brokenAt: at + 1, reason: 'it is missing' };
  const last = headOf(at, previous);
  if (last.sequence !== head.sequence || last.hash !== head.hash) {
    return { isSound: false, brokenAt: at, reason: 'the head of the chain is another entry' };
  }
  return { isSound: true, head: last, isSealed: false };
}

function flawOf(row: AuditRow, expectedSequence: number, previous: Buffer): string | undefined {
  if (Number(row.sequence) !== expectedSequence) return 'it is missing';
  if (!previous.equals(row.previousHash)) return 'it does not continue the entry before it';
  return chainHash(previous, entryOf(row)).equals(row.hash) ? undefined : 'it was changed';
}

function headOf(sequence: number, hash: Uint8Array): AuditHead {
  return { sequence, hash: Buffer.from(hash).toString('hex') };
}

/** Seals a chain that a release without seals has written, as it is now. Whoever asks has looked at it. */
export async function sealAudit(db: Db, keys: AuditKeys): Promise<AuditHead> {
  return db.$transaction(async (tx) => {
    const head = await lockHead(tx);
    if (sealStateOf(keys, head) !== 'SEALED') await sealHead(tx, keys, head);
    return headOf(Number(head.sequence), head.hash);
  });
}
