import { makeSeededDatabase } from '../../../env/servers/postgres.ts';
import { runRefusedStart } from '../../../env/servers/refused-start.ts';

it.each(['worker/main.ts', 'api/main.ts'])(
  '%s says that its keys are not those of the database and does not start',
  async (module) => {
    const database = await makeSeededDatabase();
    try {
      expect(await runRefusedStart(module, { DATABASE_URL: database.url })).toEqual({
        code: 1,
        said: expect.stringMatching(/ENCRYPTION_KEYS lacks the key.*CLIENT_SECRET_PEPPER lacks/s),
      });
    } finally {
      await database.drop();
    }
  },
);
