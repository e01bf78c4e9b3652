import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
import { STATEMENT_TIMEOUT_MS, sessionConfig, storeSettings } from './postgres-session.ts';
import { WatchedClient } from './watched-client.ts';

export type Db = PrismaClient;
/** A connection inside a transaction. Danger: never catch a database error inside, because COMMIT would then silently roll back. */
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
   * Each connection plans a statement only once, whatever its values. Otherwise the database may plan it for each execution, and
   * a worker's statements take as long to plan as to execute. Use it for look-ups by key, not for searches.
   */
  readonly plansOnce?: boolean;
  /** How long a statement waits for a connection and for a lock. Default: the time-outs below. */
  readonly waitMs?: number | undefined;
}

/**
 * Long enough that a request on an overloaded machine waits for a connection of the pool instead of failing. An API that cannot
 * reach its database answers with an error after this time.
 */
const CONNECT_TIMEOUT_MS = 15_000;
/** Above the statement time-out, so that the database itself cancels a slow statement. */
export const TRANSACTION_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;

/** Statements of variable length would fill the server's memory with names, so later ones stay unnamed. */
const NAMED_STATEMENTS_MAX = 400;

/** Connects lazily. The session uses UTC, and every statement, lock and idle transaction has a time-out. */
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

/** Names each statement, so that a connection parses and plans it only once. An empty name means an unnamed statement. */
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
 * The SQLSTATE of a database error, wherever Prisma put it. Undefined when the error does not come from the database.
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
