import { waitForDatabase } from '../../../../shared/db/wait-for-database.ts';
import { makeEmptyDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeEmptyDatabase();
});
afterAll(() => database.drop());

describe('waiting for the database', () => {
  it('returns when it answers', async () => {
    await expect(waitForDatabase(database.url, 5_000)).resolves.toBeUndefined();
  });

  it('does not wait for permanent errors: a wrong password, an unknown database', async () => {
    const wrong = new URL(database.url);
    wrong.password = 'hunter2';
    const waiting = waitForDatabase(wrong.href, 60_000);
    await expect(waiting).rejects.toThrow(
      /refuses the connection: password authentication failed.*DATABASE_URL/,
    );
    await expect(waiting).rejects.not.toThrow(/hunter2/);
    const unknown = new URL(database.url);
    unknown.pathname = '/nowhere';
    await expect(waitForDatabase(unknown.href, 60_000)).rejects.toThrow(/"nowhere" does not exist/);
  });

  it('names the address when nothing answers', async () => {
    await expect(waitForDatabase('postgresql://u:p@127.0.0.1:1/x', 300)).rejects.toThrow(
      /127\.0\.0\.1:1\/x did not answer within 0\.3 s.*DATABASE_URL/,
    );
  });
});
