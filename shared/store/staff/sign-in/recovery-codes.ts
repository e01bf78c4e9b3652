import { createHmac, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '../../../contract/staff.ts';
import type { Tx } from '../../../db/prisma.ts';
import type { Pepper } from '../../../platform/config/config-values.ts';

/** No letters and digits that look alike. */
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

/** Replaces the user's codes. Only keyed hashes of the new ones are stored. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  pepper: Pepper,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await tx.staffRecoveryCode.deleteMany({ where: { userId } });
  await tx.staffRecoveryCode.createMany({
    data: codes.map((code) => ({
      userId,
      codeHash: new Uint8Array(hashRecoveryCode(code, pepper)),
      pepperId: pepper.id,
    })),
  });
  return codes;
}

/** False when the user has no such code, or it was used. Of several requests that use one code at once, one gets true. */
export async function useRecoveryCode(
  tx: Tx,
  use: { userId: string; code: string; peppers: readonly Pepper[]; now: Date },
): Promise<boolean> {
  const { userId, code, peppers, now } = use;
  const hashes = peppers.map((pepper) => new Uint8Array(hashRecoveryCode(code, pepper)));
  const { count } = await tx.staffRecoveryCode.updateMany({
    where: { userId, codeHash: { in: hashes }, usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}

export function countRecoveryCodes(tx: Tx, userId: string): Promise<number> {
  return tx.staffRecoveryCode.count({ where: { userId, usedAt: null } });
}

/** Case, hyphens and spaces do not matter. */
function hashRecoveryCode(code: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper.key)
    .update(`recovery/${code.toUpperCase().replace(/[\s-]/g, '')}`, 'utf8')
    .digest();
}
