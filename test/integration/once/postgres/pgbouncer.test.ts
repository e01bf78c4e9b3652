import { SESSION_SETTINGS, storeSettings } from '../../../../shared/db/postgres-session.ts';
import { waitForDatabase } from '../../../../shared/db/wait-for-database.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { startPgBouncer } from '../../../env/servers/pgbouncer.ts';
import { makeEmptyDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

const IGNORED = { ignore_startup_parameters: 'options,extra_float_digits' };
const SHARED =
  /can't be used: a connection pooler.*shares connections between sessions.*DATABASE_URL/;

let database: TestDatabase;
beforeEach(async () => {
  database = await makeEmptyDatabase();
});
afterEach(() => database.drop());

async function waitBehind(settings: Readonly<Record<string, string>>): Promise<void> {
  const pooler = await startPgBouncer(database.url, settings);
  try {
    await waitForDatabase(pooler.url, 20_000);
  } finally {
    await pooler.stop();
  }
}

/** As an operator may do when the pooler does not pass settings. */
async function makeSettingsDefaults(): Promise<void> {
  await withClient(database.url, 'test', async (client) => {
    const name = client.escapeIdentifier(new URL(database.url).pathname.slice(1));
    const settings = Object.entries({ ...SESSION_SETTINGS, ...storeSettings() });
    for (const [setting, value] of settings)
      await client.query(`ALTER DATABASE ${name} SET ${setting} = ${client.escapeLiteral(value)}`);
  });
}

describe('behind PgBouncer', () => {
  it.each([
    ['transaction', { pool_mode: 'transaction' }],
    ['transaction, options ignored', { pool_mode: 'transaction', ...IGNORED }],
    [
      'transaction, one connection',
      { pool_mode: 'transaction', default_pool_size: '1', ...IGNORED },
    ],
    [
      'transaction, connections in turn',
      { pool_mode: 'transaction', server_round_robin: '1', min_pool_size: '2', ...IGNORED },
    ],
    ['statement, options ignored', { pool_mode: 'statement', ...IGNORED }],
  ])('in mode %s the start fails and names the pooler', async (_mode, settings) => {
    await expect(waitBehind(settings)).rejects.toThrow(SHARED);
  });

  it('the start fails even if the database has every setting as its default', async () => {
    await makeSettingsDefaults();
    await expect(waitBehind({ pool_mode: 'transaction', ...IGNORED })).rejects.toThrow(SHARED);
  });

  it('in session mode without settings the start names the wrong settings', async () => {
    await expect(waitBehind({ pool_mode: 'session', ...IGNORED })).rejects.toThrow(
      /enable_seqscan is "on" instead of "off".*a connection pooler or a login trigger/,
    );
  });

  it('in session mode with settings the start succeeds', async () => {
    await makeSettingsDefaults();
    await expect(waitBehind({ pool_mode: 'session', ...IGNORED })).resolves.toBeUndefined();
  });
});
