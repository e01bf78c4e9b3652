import { createHmac } from 'node:crypto';
import { type Db, openDb, type Tx } from '../../db/prisma.ts';
import type { EncryptionKey, Pepper } from '../../platform/config/config-values.ts';
import { makeKeyring, SealError } from '../../platform/secrets/sealing.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** The keys of a process, from ENCRYPTION_KEYS and CLIENT_SECRET_PEPPER. The first of each list is the newest. */
export interface ServiceKeys {
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly clientSecretPepper: readonly Pepper[];
}

/**
 * The keys of this process are not the keys of the database (D59). It could not open sealed values, and no other process
 * could open its own.
 */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

export type KeyPurpose = 'ENCRYPTION' | 'PEPPER';

interface Key {
  readonly id: string;
  readonly key: Buffer;
}

interface KnownKey {
  readonly purpose: KeyPurpose;
  readonly keyId: string;
  readonly checkValue: Uint8Array;
  readonly retiredAt: Date | null;
}

export const KEY_CHECK_LOCK = 'key checks';
const VARIABLES = { ENCRYPTION: 'ENCRYPTION_KEYS', PEPPER: 'CLIENT_SECRET_PEPPER' } as const;

/** Calls {@link requireKeys} with a connection of its own. */
export async function requireKeysOf(config: ServiceKeys & { readonly databaseUrl: string }) {
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: 1,
    applicationName: 'key check',
  });
  try {
    await requireKeys(db, config);
  } finally {
    await db.$disconnect();
  }
}

/**
 * Compares the keys with the check values in the database and records the newest keys as used.
 * Throws {@link KeyMismatch} with one line for each key that is missing, different or retired.
 */
export async function requireKeys(db: Db, keys: ServiceKeys): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${KEY_CHECK_LOCK}))`;
    const known = await tx.keyCheck.findMany({ orderBy: { firstUsedAt: 'asc' } });
    const isFirst = (purpose: KeyPurpose) => known.every((row) => row.purpose !== purpose);
    const problems = [
      ...findProblems('ENCRYPTION', keys.encryptionKeys, known as KnownKey[]),
      ...findProblems('PEPPER', keys.clientSecretPepper, known as KnownKey[]),
      ...(isFirst('ENCRYPTION') ? await findUnreadable(tx, keys.encryptionKeys) : []),
    ];
    if (problems.length > 0) throw new KeyMismatch(problems.join('\n'));
    await noteUsed(tx, 'ENCRYPTION', usedKeys(keys.encryptionKeys, isFirst('ENCRYPTION')));
    await noteUsed(tx, 'PEPPER', usedKeys(keys.clientSecretPepper, isFirst('PEPPER')));
  });
}

function findProblems(
  purpose: KeyPurpose,
  keys: readonly Key[],
  known: readonly KnownKey[],
): string[] {
  const variable = VARIABLES[purpose];
  const byId = new Map(keys.map((key) => [key.id, key]));
  return known
    .filter((row) => row.purpose === purpose)
    .flatMap(({ keyId, checkValue, retiredAt }) => {
      const key = byId.get(keyId);
      if (key === undefined) {
        return retiredAt === null
          ? [
              `${variable} lacks the key "${keyId}", which this database is used with: add it. If you have no such key, this is another registry's database, or its keys were made anew: use the ones it was set up with.`,
            ]
          : [];
      }
      if (!checkValueOf(purpose, key).equals(Buffer.from(checkValue))) {
        return [
          `${variable} has another key under the id "${keyId}" than this database is used with: put back the right one, or give a new key an id of its own.`,
        ];
      }
      return retiredAt !== null && key === keys[0]
        ? [
            `${variable} begins with "${keyId}", which "npm run admin -- reseal" retired: put the newest key first.`,
          ]
        : [];
    });
}

function checkValueOf(purpose: KeyPurpose, { id, key }: Key): Buffer {
  return createHmac('sha256', key).update(`key check/${purpose}/${id}`, 'utf8').digest();
}

/**
 * A process seals with its newest key only. A database of an earlier release has no check values: that release may have used
 * any of the keys, so all of them count as used, the oldest first.
 */
function usedKeys(keys: readonly Key[], isFirst: boolean): readonly Key[] {
  return isFirst ? keys.toReversed() : keys.slice(0, 1);
}

async function noteUsed(tx: Tx, purpose: KeyPurpose, keys: readonly Key[]): Promise<void> {
  for (const key of keys) {
    await tx.keyCheck.createMany({
      data: [{ purpose, keyId: key.id, checkValue: new Uint8Array(checkValueOf(purpose, key)) }],
      skipDuplicates: true,
    });
  }
}

/** A database of an earlier release has sealed values but no check values. One value of each column must open. */
async function findUnreadable(tx: Tx, keys: readonly EncryptionKey[]): Promise<string[]> {
  const keyring = makeKeyring(keys);
  const problems: string[] = [];
  for (const column of SEALED_COLUMNS) {
    const [row] = await tx.$queryRawUnsafe<{ sealed: Uint8Array; place: string }[]>(anyOf(column));
    if (row === undefined) continue;
    try {
      keyring.open(Buffer.from(row.sealed), row.place);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      problems.push(
        `ENCRYPTION_KEYS cannot open what this database holds (${column.table}.${column.column}: ${error.message}): use the keys it was set up with.`,
      );
    }
  }
  return problems;
}

function anyOf({ table, column, place, join = '', where = 'true' }: SealedColumn): string {
  return `SELECT t.${column} AS sealed, ${place} AS place FROM ${table} t ${join} WHERE ${where} LIMIT 1`;
}
