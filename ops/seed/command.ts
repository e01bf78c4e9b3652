import { join } from 'node:path';
import { waitForDatabase } from '../../shared/db/wait-for-database.ts';
import { readConfig, requireServiceConfig } from '../../shared/platform/config/config.ts';
import { makeLogger } from '../../shared/platform/logger.ts';
import { DEMO_CLIENTS_FILE, seedDemonstration } from '../seed.ts';

const DATABASE_READY_MS_MAX = 60_000;

/** npm run seed: writes demonstration data to the database of DATABASE_URL, and its secrets to DATA_DIR/demo-clients.json. */
async function seed(): Promise<void> {
  const config = requireServiceConfig(readConfig(process.env));
  const logger = makeLogger({ level: config.logLevel, name: 'seed' });
  await waitForDatabase(config.databaseUrl, DATABASE_READY_MS_MAX);
  const { clients } = await seedDemonstration({ databaseUrl: config.databaseUrl, config, logger });
  process.stdout.write(
    `${clients.length} demonstration clients; their secrets are in ${join(config.dataDir, DEMO_CLIENTS_FILE)}\n`,
  );
}

try {
  await seed();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
