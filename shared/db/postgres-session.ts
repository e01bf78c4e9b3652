/** Names and values of PostgreSQL's settings, as the view pg_settings shows them. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Every setting of a session that the program relies on, whatever the defaults of server, database and role: how values are
 * written and read, where names are looked up, that commits last, that nothing is cut short unasked, and that no way to a
 * row is barred to the planner.
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
 * For the statements of the store. No statement, lock or idle transaction lasts without end. Statements are planned once a
 * connection and kept: a plan made while a table was small must not scan it when it has grown, so index look-ups are
 * preferred from the first row on. `plansOnce`: whatever the values.
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
  /** Over those of every session. */
  readonly settings?: SessionSettings;
}

/** Members of a Client's or Pool's configuration. */
export interface SessionConfig {
  readonly connectionString: string;
  readonly application_name: string;
  readonly options: string;
}

/**
 * The configuration of a session: the only way in which the program opens one. What DATABASE_URL says under "options" stays
 * where the program sets nothing itself: of two values of a setting the server takes the later one.
 */
export function sessionConfig(
  databaseUrl: string,
  { applicationName, settings = {} }: SessionOptions,
): SessionConfig {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options');
  // The client takes a parameter of the URL before the member of its configuration.
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
