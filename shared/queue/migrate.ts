import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import { withClient } from '../db/with-client.ts';

/** The schema of the queue's own tables, when PostgreSQL carries the queue. */
export const QUEUE_SCHEMA = 'bullmq';

/** A pg Client or Pool. */
type Queryable = Parameters<typeof assertSchemaCompatibility>[0];

/** Brings the queue's tables to the version of the installed library, all or nothing; processes that come together wait for one another. */
export async function applyQueueMigrations(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, 'migrate', (client) => runMigrations(client, QUEUE_SCHEMA));
}

/**
 * What keeps the queue from working on this database; empty when nothing does. A worker on missing or older tables would
 * spin or fail without a word, so this is asked before one exists, and for readiness.
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
