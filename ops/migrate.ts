import { waitForDatabase } from '../shared/db/wait-for-database.ts';
import { readConfig } from '../shared/platform/config/config.ts';
import { prepareDatabase } from './launch/prepare-database.ts';

const DATABASE_READY_MS_MAX = 60_000;

/** npm run migrate: brings the database to this release as the role that owns it, and grants the role of DATABASE_URL what the service needs. */
async function migrate(): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = readConfig(process.env);
  if (databaseUrl === undefined)
    throw new Error(
      'DATABASE_URL is missing: name the database to migrate. "npm start" migrates its own by itself.',
    );
  const ownerUrl = databaseOwnerUrl ?? databaseUrl;
  const variable = databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  await waitForDatabase(ownerUrl, DATABASE_READY_MS_MAX, variable);
  const applied = await prepareDatabase({ ownerUrl, databaseUrl });
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
