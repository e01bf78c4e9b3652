import { Client } from 'pg';

const ATTEMPT_MS_MAX = 5_000;
const PAUSE_MS = 250;
/** Wrong password, unknown database or role: waiting doesn't mend these. */
const HOPELESS_STATES = new Set(['28P01', '28000', '3D000']);

/** Resolves when the database answers a query. Throws when it hasn't within `deadlineMs`, or at once when the credentials or the database name are wrong. */
export async function waitForDatabase(url: string, deadlineMs: number): Promise<void> {
  const endsAt = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await askOnce(url);
    } catch (error) {
      const { host, pathname } = new URL(url);
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (isHopeless(error))
        throw new Error(
          `the database at ${host}${pathname} refuses: ${reason}. Correct DATABASE_URL`,
          {
            cause: error,
          },
        );
      if (Date.now() >= endsAt)
        throw new Error(
          `the database at ${host}${pathname} did not answer within ${deadlineMs / 1_000} s (${reason}): start it, or correct DATABASE_URL`,
          { cause: error },
        );
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}

async function askOnce(url: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ATTEMPT_MS_MAX,
    query_timeout: ATTEMPT_MS_MAX,
  });
  // Without a listener a connection cut later would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isHopeless(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    HOPELESS_STATES.has(error.code)
  );
}
