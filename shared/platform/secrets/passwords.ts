import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** The library's default algorithm is argon2id. These parameters cost about 30 ms of a core and 19 MiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Limit per process, so that hashing leaves the machine free for other requests. */
export const HASHES_AT_ONCE_MAX = 2;
/** About two seconds of work. Further attempts are refused, so that a flood of sign-ins neither fills the memory nor delays all others. */
export const HASHES_WAITING_MAX = 100;

/** Too many passwords are waiting to be hashed. A later attempt can succeed. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';

  constructor() {
    super(`${HASHES_WAITING_MAX} passwords are already waiting to be hashed`);
  }
}

/** argon2id in PHC form. @throws {HashingBusy} */
export function hashPassword(password: string): Promise<string> {
  return withLimit(() => hash(password.normalize('NFKC'), COST));
}

/** False without a hash, after the same time as with one. @throws {HashingBusy} */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  dummyHash ??= hash(randomBytes(32).toString('base64url'), COST);
  const dummy = await dummyHash;
  const isRight = await withLimit(() => verify(passwordHash ?? dummy, password.normalize('NFKC')));
  return isRight && passwordHash !== undefined;
}

/** Verified in place of a missing hash. Made by the first check. */
let dummyHash: Promise<string> | undefined;

const limit = pLimit(HASHES_AT_ONCE_MAX);

async function withLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= HASHES_WAITING_MAX) throw new HashingBusy();
  return limit(work);
}

const PASSWORD_BYTES = 15;

/** 120 random bits in base64url: an initial password, which its user replaces. */
export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
