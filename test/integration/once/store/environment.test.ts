import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemonstration } from '../../../../ops/seed.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { makePepper } from '../../../../shared/platform/config/config-values.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import {
  EnvironmentMismatch,
  requireEnvironment,
} from '../../../../shared/store/sandbox/environment.ts';
import { readDayOffset, setDayOffset } from '../../../../shared/store/sandbox/registry-day.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { runRefusedStart } from '../../../env/servers/refused-start.ts';
import { makeDatabaseBefore } from '../../../env/servers/unmigrated-database.ts';

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

describe('the environment of a database (D40)', () => {
  it('is that of the first process, for good', async () => {
    await requireEnvironment(db, 'sandbox');
    await requireEnvironment(db, 'sandbox');
    await expect(requireEnvironment(db, 'production')).rejects.toThrow(
      'REGISTRY_ENVIRONMENT is production, and this database belongs to sandbox',
    );
  });

  it('is one of both, when the first processes of both start together', async () => {
    const outcomes = await Promise.allSettled([
      requireEnvironment(db, 'sandbox'),
      requireEnvironment(db, 'production'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: expect.any(EnvironmentMismatch),
    });
  });

  it('is not decided by demonstration data', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'environment-test-'));
    try {
      await seedDemonstration({
        databaseUrl: database.url,
        config: {
          nodeEnv: 'test',
          dataDir,
          encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
          clientSecretPepper: [makePepper(randomBytes(32))],
        },
        logger: makeLogger({ level: 'silent', name: 'test' }),
      });
    } finally {
      rmSync(dataDir, { recursive: true });
    }
    await requireEnvironment(db, 'sandbox');
  });

  it('is production for a database that an earlier release was used with', async () => {
    const earlier = await makeDatabaseBefore('20261128132000_sandbox');
    try {
      await earlier.client.query(
        `INSERT INTO key_checks (purpose, key_id, check_value) VALUES ('PEPPER', 'k', '')`,
      );
      await earlier.migrate();
      const { rows } = await earlier.client.query('SELECT environment FROM registry_environment');
      expect(rows).toEqual([{ environment: 'production' }]);
    } finally {
      await earlier.drop();
    }
  });

  it.each(['api/main.ts', 'worker/main.ts'])(
    '%s of the other environment says so and does not start',
    async (module) => {
      await requireEnvironment(db, 'production');
      const environment = { REGISTRY_ENVIRONMENT: 'sandbox', DATABASE_URL: database.url };
      expect(await runRefusedStart(module, environment)).toEqual({
        code: 1,
        said: expect.stringContaining('REGISTRY_ENVIRONMENT is sandbox'),
      });
    },
  );
});

it('the calendar of production cannot be moved, even by a process that claims to be the sandbox', async () => {
  await requireEnvironment(db, 'production');
  await expect(setDayOffset(db, 1)).rejects.toThrow('does not belong to a sandbox');
  expect(await readDayOffset(db, { registryEnvironment: 'sandbox' })).toBe(0);
});
