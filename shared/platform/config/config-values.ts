import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { canonicalDatabaseUrl, findDatabaseUrlProblem, isDatabaseUrl } from './database-url.ts';
import { canonicalRedisUrl, findRedisUrlProblem, isRedisUrl } from './redis-url.ts';

/** A key of AES-256-GCM. Every sealed value contains the `id` of its key. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A key of keyed hashes. Its id is derived from the key and stored with each hash, so that the hash names its pepper. */
export interface Pepper {
  readonly id: string;
  readonly key: Buffer;
}

export const PEPPER_BYTES_MIN = 32;
export const ENCRYPTION_KEY_BYTES = 32;

export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

export function commaList(): z.ZodType<readonly string[], string> {
  return z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
}

export function databaseUrl(): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => isDatabaseUrl(text) && findDatabaseUrlProblem(text) === undefined)
    .transform(canonicalDatabaseUrl);
}

export function redisUrl(): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => isRedisUrl(text) && findRedisUrlProblem(text) === undefined)
    .transform(canonicalRedisUrl);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function isAddressOrBlock(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

export function isOrigin(entry: string): boolean {
  return (
    URL.canParse(entry) &&
    /^https?:$/.test(new URL(entry).protocol) &&
    new URL(entry).origin === entry
  );
}

export function readEncryptionKeys(
  entries: readonly string[],
  context: z.RefinementCtx,
): readonly EncryptionKey[] {
  const keys = entries.map((entry) => {
    const [, id = '', text = ''] = /^([\w-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? [];
    return { id, key: Buffer.from(text, 'base64') };
  });
  const isSound =
    keys.length > 0 &&
    keys.every(({ id, key }) => id !== '' && key.length === ENCRYPTION_KEY_BYTES) &&
    new Set(keys.map(({ id }) => id)).size === keys.length;
  if (!isSound) context.addIssue({ code: 'custom', message: 'not a list of keys' });
  return keys;
}

const PEPPER_ID_LENGTH = 16;

export function makePepper(key: Buffer): Pepper {
  const id = createHmac('sha256', key).update('pepper id').digest('hex').slice(0, PEPPER_ID_LENGTH);
  return { id, key };
}

export function readPeppers(
  entries: readonly string[],
  context: z.RefinementCtx,
): readonly [Pepper, ...Pepper[]] {
  const peppers = entries.map((entry) =>
    makePepper(
      /^[A-Za-z0-9+/]+={0,2}$/.test(entry) ? Buffer.from(entry, 'base64') : Buffer.alloc(0),
    ),
  );
  const [active, ...others] = peppers;
  const isSound =
    active !== undefined &&
    peppers.every(({ key }) => key.length >= PEPPER_BYTES_MIN) &&
    new Set(peppers.map(({ id }) => id)).size === peppers.length;
  if (isSound) return [active, ...others];
  context.addIssue({ code: 'custom', message: 'not a list of peppers' });
  return z.NEVER;
}
