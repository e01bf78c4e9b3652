import { createHmac, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '../contract/staff.ts';
import type { Tx } from './db.ts';

/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;

/** 80 random bits, such as `K7QF-9M2X-TB4C-WZ6R`. */
function makeRecoveryCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('');
  return letters.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g'))?.join('-') ?? letters;
}

/** New codes; the earlier ones count no more. Only their keyed hashes are stored. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  pepper: Buffer,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await tx.staffRecoveryCode.deleteMany({ where: { userId } });
  await tx.staffRecoveryCode.createMany({
    data: codes.map((code) => ({
      userId,
      codeHash: new Uint8Array(hashRecoveryCode(code, pepper)),
    })),
  });
  return codes;
}

/** False when it is none of the user's, or was used. Of several that use one code at once, one is told true. */
export async function useRecoveryCode(
  tx: Tx,
  use: { userId: string; code: string; pepper: Buffer; now: Date },
): Promise<boolean> {
  const { userId, code, pepper, now } = use;
  const used = await tx.$executeRaw`
    UPDATE staff_recovery_codes SET used_at = ${now}::timestamptz
    WHERE user_id = ${userId}::uuid AND code_hash = ${hashRecoveryCode(code, pepper)} AND used_at IS NULL`;
  return used === 1;
}

export function countRecoveryCodes(tx: Tx, userId: string): Promise<number> {
  return tx.staffRecoveryCode.count({ where: { userId, usedAt: null } });
}

/** Case, hyphens and spaces don't matter. */
function hashRecoveryCode(code: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper)
    .update(`recovery/${code.toUpperCase().replace(/[\s-]/g, '')}`, 'utf8')
    .digest();
}
