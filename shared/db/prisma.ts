import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
import { STATEMENT_TIMEOUT_MS, sessionConfig, storeSettings } from './postgres-session.ts';
import { WatchedClient } from './watched-client.ts';

export type Db = PrismaClient;
/** A connection inside a transaction. An error caught inside would turn COMMIT into a silent ROLLBACK: never catch there. */
export type Tx = Omit<
  PrismaClient,
  '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'
>;

export interface DbOptions {
  readonly databaseUrl: string;
  readonly poolMax: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * Every statement is planned once a connection, whatever its values; otherwise the database may plan it for each run,
   * and those of a worker take as long to plan as to run. For statements that look up by keys, not for searches.
   */
  readonly plansOnce?: boolean;
  /** How long a statement waits for a connection, and for a lock; the time-outs below when left out. */
  readonly waitMs?: number | undefined;
}

/**
 * Whoever waits his turn for one of the connections of a machine that is overloaded is answered late, not with an error.
 * An API that can't reach its database tells so after this time.
 */
const CONNECT_TIMEOUT_MS = 15_000;
/** Above the statement time-out, so that the database ends a slow statement, not the client alone. */
export const TRANSACTION_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;

/** Texts that vary in length would fill the server's memory; beyond this many none is kept. */
const NAMED_STATEMENTS_MAX = 400;

/** Connects lazily; the session speaks UTC, and no statement, lock or idle transaction lasts without end. */
export function openDb(options: DbOptions): Db {
  return new PrismaClient(clientOptions(options));
}

function clientOptions(options: DbOptions) {
  const { databaseUrl, applicationName, plansOnce, waitMs } = options;
  const connectMs = waitMs ?? CONNECT_TIMEOUT_MS;
  const adapter = new PrismaPg(
    {
      Client: WatchedClient,
      ...sessionConfig(databaseUrl, {
        applicationName,
        settings: storeSettings({ plansOnce, lockMs: waitMs }),
      }),
      max: options.poolMax,
      connectionTimeoutMillis: connectMs,
    },
    { statementNameGenerator: makeStatementNames() },
  );
  return { adapter, transactionOptions: { maxWait: connectMs, timeout: TRANSACTION_TIMEOUT_MS } };
}

/** A name for each text of a statement, so that the server parses and plans it once a connection. Empty for none. */
function makeStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= NAMED_STATEMENTS_MAX) return '';
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    names.set(sql, name);
    return name;
  };
}

/**
 * The SQLSTATE behind an error of the database, wherever Prisma put it.
 * Undefined when the error is not the database's.
 */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; typeof at === 'object' && at !== null; at = causeOf(at)) {
    for (const name of ['originalCode', 'sqlState', 'code'] as const) {
      const value = (at as Record<string, unknown>)[name];
      if (typeof value === 'string' && /^[0-9A-Z]{5}$/.test(value) && !/^P\d{4}$/.test(value)) {
        return value;
      }
    }
  }
  return undefined;
}

function causeOf(error: object): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}
