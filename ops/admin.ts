import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { type Db, openDb } from '../shared/db/prisma.ts';
import { waitForDatabase } from '../shared/db/wait-for-database.ts';
import { type Config, ConfigError, readConfig } from '../shared/platform/config/config.ts';
import { makeKeyring } from '../shared/platform/secrets/sealing.ts';
import type { ServiceKeys } from '../shared/store/keys/key-checks.ts';
import { runAdmin } from './admin/commands.ts';
import { findEmbeddedKeys } from './embedded-postgres/keys.ts';
import { readServerFile, serviceUrlOf } from './embedded-postgres/server-file.ts';
import { DATABASE_NAME } from './system.ts';

const DATABASE_READY_MS_MAX = 5_000;

/** npm run admin -- <command>: uses the database of DATABASE_URL, or without it the one that `npm start` runs under DATA_DIR. */
async function main(): Promise<number> {
  const config = readConfig(process.env);
  let opened: Db | undefined;
  const db = (): Db => {
    opened ??= openDb({ databaseUrl: databaseUrlOf(config), poolMax: 2, applicationName: 'admin' });
    return opened;
  };
  try {
    return await runAdmin(process.argv.slice(2), {
      db,
      keys: () => keysOf(config),
      checkDatabase: () => waitForDatabase(databaseUrlOf(config), DATABASE_READY_MS_MAX),
      by: () => ({
        actor: {
          kind: 'COMMAND',
          id: null,
          email: `${userInfo().username}@${hostname()}`,
          role: null,
        },
        address: null,
        requestId: `command-${randomUUID()}`,
        at: new Date(),
        keys: makeKeyring(keysOf(config).encryptionKeys),
      }),
      print: (line) => process.stdout.write(`${line}\n`),
      printError: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    await opened?.$disconnect();
  }
}

/** The keys of the environment, or without them those that `npm start` created under DATA_DIR. */
function keysOf(config: Config): ServiceKeys {
  const { encryptionKeys, clientSecretPepper } = {
    ...readConfig(findEmbeddedKeys(config.dataDir) ?? {}),
    ...(config.encryptionKeys === undefined ? {} : config),
  };
  if (encryptionKeys !== undefined && clientSecretPepper !== undefined)
    return { encryptionKeys, clientSecretPepper };
  throw new ConfigError(
    'ENCRYPTION_KEYS and CLIENT_SECRET_PEPPER are missing: give this command the same keys as the API and the workers.',
  );
}

function databaseUrlOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== undefined) return databaseUrl;
  const serverFile = join(resolve(dataDir), 'postgres-server.json');
  if (existsSync(serverFile)) return serviceUrlOf(readServerFile(serverFile), DATABASE_NAME);
  throw new ConfigError(
    'DATABASE_URL is missing, and there is no database under DATA_DIR: run "npm start" first, or set DATABASE_URL.',
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
