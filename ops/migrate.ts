import { readConfig } from '../shared/platform/config.ts';
import { waitForDatabase } from '../shared/platform/wait-for-database.ts';
import { applyQueueMigrations } from '../shared/queue/migrate.ts';
import { applyMigrations } from '../shared/store/migrate.ts';

const DATABASE_READY_MS_MAX = 60_000;

/** npm run migrate: brings the database to this release, the registry's tables and the queue's, as the role that owns them. */
async function migrate(): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = readConfig(process.env);
  const ownerUrl = databaseOwnerUrl ?? databaseUrl;
  if (ownerUrl === undefined)
    throw new Error(
      'DATABASE_URL is missing: name the database to migrate. "npm start" migrates its own by itself.',
    );
  const variable = databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  await waitForDatabase(ownerUrl, DATABASE_READY_MS_MAX, variable);
  const applied = await applyMigrations(ownerUrl);
  await applyQueueMigrations(ownerUrl);
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
