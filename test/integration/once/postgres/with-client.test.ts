import type { Client } from 'pg';
import { withClient } from '../../../../shared/db/with-client.ts';
import { makeEmptyDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeEmptyDatabase();
});
afterAll(() => database.drop());

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

describe('a session for one task', () => {
  it('has a name and resolves with the result of the task', async () => {
    const { rows } = await withClient(database.url, 'a task', (client) =>
      client.query('SHOW application_name'),
    );
    expect(rows).toEqual([{ application_name: 'a task' }]);
  });

  it('that is lost between two statements ends the task, not the process', async () => {
    const task = withClient(database.url, 'a task', async (client) => {
      const ended = new Promise((resolve) => client.once('end', resolve));
      const pid = await pidOf(client);
      await withClient(database.url, 'who cuts', (other) =>
        other.query('SELECT pg_terminate_backend($1)', [pid]),
      );
      await ended;
      return client.query('SELECT 1');
    });
    await expect(task).rejects.toThrow(/not queryable|terminated|ended/i);
  }, 10_000);
});
