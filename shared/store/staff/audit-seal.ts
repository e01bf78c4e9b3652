import type { Db, Tx } from '../../db/prisma.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';

// The seal of the head of the audit chain (D67): a code over number and hash of the last entry, under a key derived from
// ENCRYPTION_KEYS. The chain's hashes bind every entry to the head; sealing another head takes a key.

export type AuditKeys = Pick<Keyring, 'authenticate' | 'isAuthentic'>;

export interface StoredHead {
  readonly sequence: bigint;
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly seal: Uint8Array | null;
  readonly sealKeyId: string | null;
}

/** NOT_SEALED: the last entry is of a release without seals, or of a process that found a false seal before it. */
export type SealState = 'SEALED' | 'NOT_SEALED' | 'FALSE_SEAL';

const PURPOSE = 'registry/audit-head';

/** A chain without entries needs no seal. */
export function sealStateOf(keys: AuditKeys, head: StoredHead): SealState {
  if (head.sequence === 0n) return 'SEALED';
  if (head.seal === null || head.sealKeyId === null) return 'NOT_SEALED';
  const made = { keyId: head.sealKeyId, code: Buffer.from(head.seal) };
  return keys.isAuthentic(textOf(head), PURPOSE, made) ? 'SEALED' : 'FALSE_SEAL';
}

/** Until the transaction ends no other one appends an entry. */
export async function lockHead(tx: Tx): Promise<StoredHead> {
  const [head] = await tx.$queryRaw<StoredHead[]>`
    SELECT sequence, hash, seal, seal_key_id AS "sealKeyId" FROM lock_audit_head()`;
  if (head === undefined) throw new Error('the head of the audit chain is missing');
  return head;
}

/** The head must be locked. */
export async function sealHead(
  tx: Tx,
  keys: AuditKeys,
  head: Pick<StoredHead, 'sequence' | 'hash'>,
): Promise<void> {
  const { keyId, code } = keys.authenticate(textOf(head), PURPOSE);
  await tx.$executeRaw`SELECT seal_audit_head(${head.sequence}::bigint, ${code}, ${keyId})`;
}

/** Seals a head again under the newest key, so that the older one may be retired. A head with a false seal, or none, is left alone. */
export async function renewSeal(db: Db, keys: AuditKeys): Promise<void> {
  await db.$transaction(async (tx) => {
    const head = await lockHead(tx);
    if (head.sequence > 0n && sealStateOf(keys, head) === 'SEALED') await sealHead(tx, keys, head);
  });
}

function textOf({ sequence, hash }: Pick<StoredHead, 'sequence' | 'hash'>): string {
  return `${sequence}:${Buffer.from(hash).toString('hex')}`;
}
