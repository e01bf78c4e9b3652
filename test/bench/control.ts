import { Client } from 'pg';
import { sumOf } from './measure/statistics.ts';
import type { Control } from './turns.ts';
import type { World } from './world.ts';

/** What a connection computes in one statement, and how many of those are a look. */
const HASHES = 200_000;
const STATEMENTS = 6;

/** What a look takes on two cores, for the forecast. */
export const CONTROL_SECONDS = 1;

/**
 * The same work each time, hashes per second: PostgreSQL computes on as many connections as there are cores, and reads and writes
 * nothing. What writes is no control: its tables, the log and their cleaning make it faster and slower by more than the
 * machine does.
 */
export function makeControl({ servers }: Pick<World, 'servers'>, cores: number): Control {
  return async () => {
    const clients = Array.from(
      { length: cores },
      () => new Client({ connectionString: servers.adminUrl }),
    );
    try {
      await Promise.all(clients.map((client) => client.connect()));
      return sumOf(await Promise.all(clients.map(hashesPerSecond)));
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  };
}

async function hashesPerSecond(client: Client): Promise<number> {
  const started = performance.now();
  for (let statement = 0; statement < STATEMENTS; statement += 1) {
    await client.query(
      // In the FROM itself the numbers would be kept first, in a file where they are many.
      `SELECT count(*) FROM (SELECT generate_series(1, $1::int) AS number) numbers WHERE md5(number::text) < '8'`,
      [HASHES],
    );
  }
  return (HASHES * STATEMENTS) / ((performance.now() - started) / 1_000);
}
