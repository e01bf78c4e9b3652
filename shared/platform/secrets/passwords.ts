import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** argon2id is the library's default. Some 30 ms of a core and 19 MiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Of this process, whoever asks: the rest of the machine has requests to answer. */
export const HASHES_AT_ONCE_MAX = 2;
/** Some two seconds of work. Who comes later is refused, so that a flood of sign-ins neither fills the memory nor delays without end. */
export const HASHES_WAITING_MAX = 100;

/** Too many passwords wait for their hash already; later there is room again. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';

  constructor() {
    super(`${HASHES_WAITING_MAX} passwords wait for their hash already`);
  }
}

/** argon2id in PHC form. @throws {HashingBusy} */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), COST));
}

/** Takes the same time without a hash, and is false then. @throws {HashingBusy} */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  hashOfNobody ??= hash(randomBytes(32).toString('base64url'), COST);
  const nobody = await hashOfNobody;
  const isRight = await inTurn(() => verify(passwordHash ?? nobody, password.normalize('NFKC')));
  return isRight && passwordHash !== undefined;
}

/** Made once, by whichever check is first. */
let hashOfNobody: Promise<string> | undefined;

const turns = pLimit(HASHES_AT_ONCE_MAX);

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (turns.pendingCount >= HASHES_WAITING_MAX) throw new HashingBusy();
  return turns(work);
}

const PASSWORD_BYTES = 15;

/** 120 random bits in base64url: a password to hand to somebody who then sets another. */
export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
