import { waitForDatabase } from '../shared/db/wait-for-database.ts';
import { readConfig } from '../shared/platform/config/config.ts';
import { prepareDatabase } from './launch/prepare-database.ts';

const DATABASE_READY_MS_MAX = 60_000;

/** npm run migrate: migrates the database to this release as its owner, and grants the role of DATABASE_URL the privileges of the service. */
async function migrate(): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = readConfig(process.env);
  if (databaseUrl === undefined)
    throw new Error(
      'DATABASE_URL is missing: set it to the database to migrate. "npm start" migrates its embedded database itself.',
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
