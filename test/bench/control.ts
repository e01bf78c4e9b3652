import { Client } from 'pg';
import type { Control } from './rounds.ts';
import type { World } from './world.ts';

/** What each core computes in one statement, and how many of those are a look. */
const HASHES = 200_000;
const STATEMENTS = 12;

/** What a look takes on two cores, for the forecast. */
export const CONTROL_SECONDS = 2;

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
      const started = performance.now();
      for (let statement = 0; statement < STATEMENTS; statement += 1) await computeHashes(clients);
      const seconds = (performance.now() - started) / 1_000;
      return (clients.length * HASHES * STATEMENTS) / seconds;
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  };
}

/** In the FROM itself the numbers would be kept first, in a file where they are many. */
async function computeHashes(clients: readonly Client[]): Promise<void> {
  await Promise.all(
    clients.map((client) =>
      client.query(
        `SELECT count(*) FROM (SELECT generate_series(1, $1::int) AS number) numbers WHERE md5(number::text) < '8'`,
        [HASHES],
      ),
    ),
  );
}
