import { placeOf } from '../platform/config/database-url.ts';
import { checkDatabase, UnusableDatabaseError } from './check-database.ts';

const PAUSE_MS = 250;
/** Wrong password, unknown role or unknown database: waiting does not help. */
const PERMANENT_STATES = new Set(['28P01', '28000', '3D000']);

/** The variable with the database's URL, for messages. */
export type DatabaseVariable = 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_DIRECT_URL';

/**
 * Resolves when the database answers and has what the program relies on. Throws when it has not answered within `deadlineMs`,
 * or at once when waiting cannot help: wrong credentials, an unknown database, a pooler that shares connections.
 */
export async function waitForDatabase(
  url: string,
  deadlineMs: number,
  variable: DatabaseVariable = 'DATABASE_URL',
): Promise<void> {
  const endsAt = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await checkDatabase(url);
    } catch (error) {
      const place = `the database at ${placeOf(url)}`;
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (error instanceof UnusableDatabaseError)
        throw new Error(`${place} can't be used: ${reason}. Correct it or ${variable}`, {
          cause: error,
        });
      if (isPermanent(error))
        throw new Error(`${place} refuses the connection: ${reason}. Correct ${variable}`, {
          cause: error,
        });
      if (Date.now() >= endsAt)
        throw new Error(
          `${place} did not answer within ${deadlineMs / 1_000} s (${reason}): start it, or correct ${variable}`,
          { cause: error },
        );
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}

/** Waits for each database of an API or worker process. */
export async function waitForDatabases(
  {
    databaseUrl,
    databaseDirectUrl,
  }: { readonly databaseUrl: string; readonly databaseDirectUrl: string | undefined },
  deadlineMs: number,
): Promise<void> {
  await waitForDatabase(databaseUrl, deadlineMs);
  if (databaseDirectUrl !== undefined)
    await waitForDatabase(databaseDirectUrl, deadlineMs, 'DATABASE_DIRECT_URL');
}

function isPermanent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    PERMANENT_STATES.has(error.code)
  );
}
