import { Client } from 'pg';
import { percentile } from './measure/statistics.ts';
import type { Control } from './rounds.ts';
import type { World } from './world.ts';

/** Looks at the control each time; the middle one counts. */
const CONTROL_LOOKS = 5;
/** What each core computes in one of them. */
const HASHES = 200_000;

/** What the control takes on two cores, for the forecast. */
export const CONTROL_SECONDS = 1.5;

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
      const looks: number[] = [];
      while (looks.length < CONTROL_LOOKS) looks.push(await hashesPerSecond(clients));
      return percentile(looks, 50);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  };
}

async function hashesPerSecond(clients: readonly Client[]): Promise<number> {
  const started = performance.now();
  await Promise.all(
    clients.map((client) =>
      client.query(
        `SELECT count(*) FROM generate_series(1, $1::int) number WHERE md5(number::text) < '8'`,
        [HASHES],
      ),
    ),
  );
  return (clients.length * HASHES) / ((performance.now() - started) / 1_000);
}
