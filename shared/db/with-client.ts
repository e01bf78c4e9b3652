import { Client } from 'pg';
import { sessionConfig } from './postgres-session.ts';

const CONNECT_MS_MAX = 15_000;

/** Opens a session for one task and closes it afterwards in any case. pg_stat_activity shows `applicationName`. */
export async function withClient<T>(
  url: string,
  applicationName: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    ...sessionConfig(url, { applicationName }),
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // Without a listener, losing the connection between two statements would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
