import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import { withClient } from '../db/with-client.ts';

/** The schema of BullMQ's own tables in PostgreSQL. */
export const QUEUE_SCHEMA = 'bullmq';

/** A pg Client or Pool. */
type Queryable = Parameters<typeof assertSchemaCompatibility>[0];

/** Migrates BullMQ's tables to the version of the installed library, all or nothing. Simultaneous calls wait for each other. */
export async function applyQueueMigrations(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, 'migrate', (client) => runMigrations(client, QUEUE_SCHEMA));
}

/**
 * Finds problems with BullMQ's tables in this database. A worker on missing or older tables would fail silently, so processes
 * check this before they start and for readiness.
 */
export async function checkQueueMigrations(database: Queryable): Promise<string[]> {
  try {
    const version = await assertSchemaCompatibility(database, QUEUE_SCHEMA);
    if (version >= LATEST_SCHEMA_VERSION) return [];
    return [
      `the queue's tables have version ${version}, ${LATEST_SCHEMA_VERSION} is needed: run "npm run migrate"`,
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
