import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id is the library's default. Some 30 ms of a core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** argon2id in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST);
}

/** Takes the same time without a hash, and is false then. */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  hashOfNobody ??= hashPassword(randomBytes(32).toString('base64url'));
  const nobody = await hashOfNobody;
  const isRight = await verify(passwordHash ?? nobody, password.normalize('NFKC'));
  return isRight && passwordHash !== undefined;
}

/** Made once, by whichever check is first. */
let hashOfNobody: Promise<string> | undefined;

const PASSWORD_BYTES = 15;

/** 120 random bits in base64url: a password to hand to somebody who then sets another. */
export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
