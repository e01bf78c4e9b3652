/** Names and values of PostgreSQL settings in the form of the view pg_settings. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Every session setting that the program relies on, independent of the defaults of server, database and role: the format of
 * values, the search path, durable commits, no time-outs that the program did not ask for, and all methods of the planner.
 */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  row_security: 'on',
  jit: 'off',
  plan_cache_mode: 'auto',
  enable_seqscan: 'on',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_bitmapscan: 'on',
  enable_nestloop: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  enable_hashagg: 'on',
  enable_sort: 'on',
  enable_material: 'on',
} as const satisfies SessionSettings;

export const STATEMENT_TIMEOUT_MS = 30_000;
export const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Settings for the statements of the store. Every statement, lock and idle transaction has a time-out. A connection keeps its
 * plans, and a plan made for a small table must not scan it after it has grown, so sequential scans are discouraged from the
 * first row on. `plansOnce`: plan each statement once, whatever its values.
 */
export function storeSettings({
  plansOnce = false,
  lockMs = LOCK_TIMEOUT_MS,
}: {
  readonly plansOnce?: boolean | undefined;
  readonly lockMs?: number | undefined;
} = {}): SessionSettings {
  return {
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    enable_seqscan: 'off',
    plan_cache_mode: plansOnce ? 'force_generic_plan' : 'auto',
  };
}

export interface SessionOptions {
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** They override those of every session. */
  readonly settings?: SessionSettings;
}

/** Members of a Client's or Pool's configuration. */
export interface SessionConfig {
  readonly connectionString: string;
  readonly application_name: string;
  readonly options: string;
}

/**
 * The configuration of every session that the program opens. Settings in the "options" of DATABASE_URL apply unless the
 * program makes the same setting: the server uses the last value given.
 */
export function sessionConfig(
  databaseUrl: string,
  { applicationName, settings = {} }: SessionOptions,
): SessionConfig {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options');
  // The client prefers the URL's parameter to the member of its configuration.
  if (given !== null) url.searchParams.delete('options');
  const own = Object.entries({ ...SESSION_SETTINGS, ...settings }).map(
    ([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`,
  );
  return {
    connectionString: given === null ? databaseUrl : url.href,
    application_name: applicationName,
    options: [...(given === null ? [] : [given]), ...own].join(' '),
  };
}
