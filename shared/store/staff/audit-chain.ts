import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AuditEntry, Prisma } from '../../db/generated/client.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { type AuditKeys, lockHead, sealHead, sealStateOf } from './audit-seal.ts';

// The entries of the audit log are a chain: each has the hash of the entry before it, so that none can be changed or
// removed without breaking the chain. The seal of its head (D67) shows a chain that was rewritten as a whole.

/** The content of an entry that its hash covers, besides the hash before it. */
export interface ChainedEntry {
  readonly sequence: number;
  readonly at: string;
  readonly actor: {
    readonly kind: string;
    readonly id: string | null;
    readonly email: string | null;
    readonly role: string | null;
  };
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string | null };
  readonly address: string | null;
  readonly requestId: string;
  readonly before: Prisma.InputJsonObject | null;
  readonly after: Prisma.InputJsonObject | null;
}

/** SHA-256 over the hash before it and the RFC 8785 form of the entry. */
export function chainHash(
  previousHash: Uint8Array,
  { sequence, at, actor, action, target, address, requestId, before, after }: ChainedEntry,
): Uint8Array<ArrayBuffer> {
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

/** A stored entry as it was chained. */
export function entryOf(row: AuditEntry): ChainedEntry {
  const { sequence, at, action, address, requestId, before, after } = row;
  return {
    sequence: Number(sequence),
    at: at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, email: row.actorEmail, role: row.actorRole },
    action,
    target: { type: row.targetType, id: row.targetId },
    address,
    requestId,
    before: before as Prisma.InputJsonObject | null,
    after: after as Prisma.InputJsonObject | null,
  };
}

export interface AuditHead {
  readonly sequence: number;
  /** Hex. */
  readonly hash: string;
}

export type ChainReport =
  | {
      readonly isSound: true;
      readonly head: AuditHead;
      /** False where a release without seals wrote the last entry, or somebody removed the seal. */
      readonly isSealed: boolean;
    }
  | {
      readonly isSound: false;
      /** The first entry that is missing, changed or does not continue the one before it. */
      readonly brokenAt: number;
      readonly reason: string;
    };

const VERIFY_TIMEOUT_MS = 15 * 60_000;
const ENTRIES_READ_MAX = 1_000;
const NOT_WRITTEN_DOWN = 'it is not the entry that was written down';
/** The hash before the first entry. */
const GENESIS = new Uint8Array(32);

/**
 * Walks the chain from the first entry, or the latest `entriesMax` of it, to the head, in one snapshot. With `expected`, a head that
 * was written down earlier, it also shows whether everything was rewritten since, the head included.
 */
export function verifyAudit(
  db: Db,
  keys: AuditKeys,
  expected?: AuditHead,
  entriesMax = Number.POSITIVE_INFINITY,
): Promise<ChainReport> {
  return db.$transaction(
    async (tx) => {
      const stored = await tx.auditHead.findFirst();
      const head =
        stored === null ? { sequence: 0, hash: '' } : headOf(stored.sequence, stored.hash);
      const start = await readHash(tx, Math.max(head.sequence - entriesMax, 0));
      if (expected !== undefined && expected.sequence <= start.sequence) {
        const { hash } = await readHash(tx, expected.sequence);
        if (hash !== expected.hash) return flaw(expected.sequence, NOT_WRITTEN_DOWN);
      }
      const report = await walkChain(tx, start, head, expected);
      if (!report.isSound || stored === null) return report;
      const state = sealStateOf(keys, stored);
      if (state === 'FALSE_SEAL')
        return flaw(head.sequence, 'the seal of the head was not made with these keys');
      return { ...report, isSealed: state === 'SEALED' };
    },
    { isolationLevel: 'RepeatableRead', timeout: VERIFY_TIMEOUT_MS },
  );
}

/** The stored hash of an entry, which is not recomputed. A missing entry breaks the chain at the next one. */
async function readHash(tx: Tx, sequence: number): Promise<AuditHead> {
  if (sequence === 0) return headOf(0n, GENESIS);
  const row = await tx.auditEntry.findUnique({ where: { sequence }, select: { hash: true } });
  return headOf(BigInt(sequence), row?.hash ?? GENESIS);
}

async function walkChain(
  tx: Tx,
  start: AuditHead,
  head: AuditHead,
  expected: AuditHead | undefined,
): Promise<ChainReport> {
  let last = start;
  for (;;) {
    const rows = await tx.auditEntry.findMany({
      where: { sequence: { gt: last.sequence } },
      orderBy: { sequence: 'asc' },
      take: ENTRIES_READ_MAX,
    });
    for (const row of rows) {
      const reason = findFlaw(row, last);
      if (reason !== undefined) return flaw(last.sequence + 1, reason);
      last = headOf(row.sequence, row.hash);
      if (last.sequence === expected?.sequence && last.hash !== expected.hash)
        return flaw(last.sequence, NOT_WRITTEN_DOWN);
    }
    if (rows.length < ENTRIES_READ_MAX) break;
  }
  const isMissing = Math.max(head.sequence, expected?.sequence ?? 0) > last.sequence;
  if (isMissing) return flaw(last.sequence + 1, 'it is missing');
  if (last.sequence !== head.sequence || last.hash !== head.hash)
    return flaw(last.sequence, 'the head of the chain is another entry');
  return { isSound: true, head: last, isSealed: false };
}

/** Undefined when the entry continues the one before it. */
function findFlaw(row: AuditEntry, before: AuditHead): string | undefined {
  if (Number(row.sequence) !== before.sequence + 1) return 'it is missing';
  if (hexOf(row.previousHash) !== before.hash) return 'it does not continue the entry before it';
  const hash = chainHash(row.previousHash, entryOf(row));
  return hexOf(hash) === hexOf(row.hash) ? undefined : 'it was changed';
}

function flaw(brokenAt: number, reason: string): ChainReport {
  return { isSound: false, brokenAt, reason };
}

function headOf(sequence: bigint, hash: Uint8Array): AuditHead {
  return { sequence: Number(sequence), hash: hexOf(hash) };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Seals a chain that a release without seals wrote, as it is now. The caller has verified it. */
export function sealAudit(db: Db, keys: AuditKeys): Promise<AuditHead> {
  return db.$transaction(async (tx) => {
    const head = await lockHead(tx);
    if (sealStateOf(keys, head) !== 'SEALED') await sealHead(tx, keys, head);
    return headOf(head.sequence, head.hash);
  });
}
