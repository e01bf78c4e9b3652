import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const KEYS_FILE = 'keys.json';
const KEY_BYTES = 32;

const EmbeddedKeys = z.object({
  ENCRYPTION_KEYS: z.string().min(1),
  CLIENT_SECRET_PEPPER: z.string().min(1),
});

/** In the form of the two environment variables. */
export type EmbeddedKeys = z.infer<typeof EmbeddedKeys>;

/**
 * Reads `dataDir/keys.json` (mode 0600), or creates it when there is no database yet.
 * Throws when there is a database without its keys, because new keys could not open its values.
 */
export function readOrMakeEmbeddedKeys(
  dataDir: string,
  options: { readonly databaseExists: boolean },
): EmbeddedKeys {
  const path = join(resolve(dataDir), KEYS_FILE);
  if (existsSync(path)) return readKeys(path);
  if (options.databaseExists) {
    throw new Error(
      `${path} is missing, but its database exists: restore the file from your copy, or remove the whole folder to start without its data`,
    );
  }
  mkdirSync(resolve(dataDir), { recursive: true });
  const keys: EmbeddedKeys = {
    ENCRYPTION_KEYS: `k1:${randomBytes(KEY_BYTES).toString('base64')}`,
    CLIENT_SECRET_PEPPER: randomBytes(KEY_BYTES).toString('base64'),
  };
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
  return keys;
}

/** The keys of `dataDir`; undefined when it has none. */
export function findEmbeddedKeys(dataDir: string): EmbeddedKeys | undefined {
  const path = join(resolve(dataDir), KEYS_FILE);
  return existsSync(path) ? readKeys(path) : undefined;
}

function readKeys(path: string): EmbeddedKeys {
  try {
    return EmbeddedKeys.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(
      `${path} can't be read as the keys of this database: restore it from your copy`,
      { cause: error },
    );
  }
}
