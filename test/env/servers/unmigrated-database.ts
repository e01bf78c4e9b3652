import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applyMigrations } from '../../../shared/db/migrate.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeEmptyDatabase } from './postgres.ts';

/** A database with the schema of an earlier release. */
export interface UnmigratedDatabase {
  readonly client: Client;
  /** Applies the remaining migrations. */
  migrate(): Promise<unknown>;
  drop(): Promise<void>;
}

/** Makes a database that has all migrations before `migration`, the name of its folder. */
export async function makeDatabaseBefore(migration: string): Promise<UnmigratedDatabase> {
  const database = await makeEmptyDatabase();
  const migrations = join(findProjectRoot(), 'prisma', 'migrations');
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    for (const name of readdirSync(migrations).filter((one) => one < migration))
      cpSync(join(migrations, name), join(folder, name), { recursive: true });
    await applyMigrations(database.url, { folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    client,
    migrate: () => applyMigrations(database.url),
    drop: async () => {
      await client.end();
      await database.drop();
    },
  };
}
