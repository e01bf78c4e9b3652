import { readConfig } from '../shared/platform/config.ts';
import { waitForDatabase } from '../shared/platform/wait-for-database.ts';
import { applyQueueMigrations } from '../shared/queue/migrate.ts';
import { applyMigrations } from '../shared/store/migrate.ts';

const DATABASE_READY_MS_MAX = 60_000;

/** npm run migrate: brings the database of DATABASE_URL to this release, the registry's tables and the queue's. */
async function migrate(): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined)
    throw new Error(
      'DATABASE_URL is missing: name the database to migrate. "npm start" migrates its own by itself.',
    );
  await waitForDatabase(databaseUrl, DATABASE_READY_MS_MAX);
  const applied = await applyMigrations(databaseUrl);
  await applyQueueMigrations(databaseUrl);
  process.stdout.write(
    applied.length === 0
      ? 'nothing to migrate\n'
      : applied.map((name) => `applied ${name}\n`).join(''),
  );
}

try {
  await migrate();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
