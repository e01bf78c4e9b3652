import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { findProjectRoot } from '../platform/project-root.ts';
import { withClient } from './with-client.ts';

export interface MigrateOptions {
  /** Default: prisma/migrations of this project. */
  readonly folder?: string;
}

/** The part of a pg Client or Pool that is used. */
interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>;
}

interface Migration {
  readonly name: string;
  /** SHA-256 of the file in hex, as `prisma migrate deploy` computes it. */
  readonly checksum: string;
  readonly sql: string;
}

interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The lock that `prisma migrate` takes, so that the two tools never run at the same time. */
const MIGRATE_LOCK = 72_707_369;

const CREATE_LEDGER = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Applies the missing migrations in order, each in one transaction together with its row in the ledger. Concurrent processes
 * wait for each other. Returns the names of the migrations that it applied.
 * Throws {@link MigrationError} when an applied file was changed, or the database has a migration that this release lacks.
 */
export async function applyMigrations(
  databaseUrl: string,
  { folder = migrationsFolder() }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(folder);
  return withClient(databaseUrl, 'migrate', async (client) => {
    // The end of the session releases it.
    await client.query(`SELECT pg_advisory_lock(${MIGRATE_LOCK})`);
    await client.query(CREATE_LEDGER);
    const applied = await readApplied(client);
    const problems = conflictsOf(migrations, applied);
    if (problems.length > 0) throw new MigrationError(problems.join('\n'));
    const missing = missingFrom(migrations, applied);
    for (const migration of missing) await applyOne(client, migration);
    return missing.map(({ name }) => name);
  });
}

/** The reasons why this release cannot work with the database; empty when every migration is applied unchanged. For readiness. */
export async function checkMigrations(
  database: Queryable,
  { folder = migrationsFolder() }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(folder);
  const { rows } = await database.query(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  const [ledger] = rows as { present: boolean }[];
  const applied = ledger?.present === true ? await readApplied(database) : [];
  return [
    ...conflictsOf(migrations, applied),
    ...missingFrom(migrations, applied).map(
      ({ name }) => `migration ${name} is not applied: run "npm run migrate"`,
    ),
  ];
}

function migrationsFolder(): string {
  return join(findProjectRoot(), 'prisma', 'migrations');
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = readFileSync(join(folder, name, 'migration.sql'));
      return {
        name,
        checksum: createHash('sha256').update(file).digest('hex'),
        sql: file.toString('utf8'),
      };
    });
}

async function readApplied(database: Queryable): Promise<AppliedRow[]> {
  const { rows } = await database.query(
    'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return rows as AppliedRow[];
}

function missingFrom(
  migrations: readonly Migration[],
  applied: readonly AppliedRow[],
): Migration[] {
  const known = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !known.has(name));
}

function conflictsOf(migrations: readonly Migration[], applied: readonly AppliedRow[]): string[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  return applied.flatMap((row) => {
    const name = row.migration_name;
    const ours = byName.get(name);
    if (ours === undefined)
      return [
        `the database has migration ${name}, which this release does not know: run the release that made it, or a newer one`,
      ];
    if (!row.finished)
      return [
        `another tool started migration ${name}, which is not finished: repair it, then mark it with "prisma migrate resolve"`,
      ];
    if (ours.checksum !== row.checksum)
      return [
        `migration ${name} was changed after it was applied: restore the file and write a new migration instead`,
      ];
    return [];
  });
}

async function applyOne(client: Client, { name, checksum, sql }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`migration ${name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}
