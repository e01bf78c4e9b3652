import type { Client } from 'pg';

/** What the server did since it started. */
export interface DatabaseCounters {
  /** Statements in the measured database, BEGIN and COMMIT too. */
  readonly statements: number;
  /**
   * Transactions that wrote, in the whole server: each is a commit, rarely a rollback. A settlement counts three times,
   * since its identifiers and its claims have subtransactions of their own.
   */
  readonly commits: number;
  /** In the whole server. */
  readonly walBytes: number;
}

/** One statement of the measured time, its values left out. */
export interface StatementShare {
  readonly statement: string;
  readonly callsPerItem: number;
  readonly meanMilliseconds: number;
  readonly millisecondsPerItem: number;
  readonly planMillisecondsPerItem: number;
  readonly walBytesPerItem: number;
}

const STATEMENTS_SHOWN_MAX = 15;
const STATEMENT_CHARS_MAX = 110;
const NEVER_CALLED = { calls: 0, total: 0, plan: 0, wal: 0 };

export async function resetStatements(admin: Client): Promise<void> {
  await admin.query('SELECT pg_stat_statements_reset()');
}

export async function readCounters(admin: Client, database: string): Promise<DatabaseCounters> {
  const { rows } = await admin.query<{ statements: string; commits: string; wal: string }>(
    `SELECT
       (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
         WHERE d.datname = $1) AS statements,
       pg_snapshot_xmax(pg_current_snapshot())::text AS commits,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal`,
    [database],
  );
  const [row] = rows;
  return {
    statements: Number(row?.statements ?? 0),
    commits: Number(row?.commits ?? 0),
    walBytes: Number(row?.wal ?? 0),
  };
}

/** `total` with what was read at the end and not at the beginning. */
export function addCounters(
  total: DatabaseCounters,
  ended: DatabaseCounters,
  begun: DatabaseCounters,
): DatabaseCounters {
  return {
    statements: total.statements + ended.statements - begun.statements,
    commits: total.commits + ended.commits - begun.commits,
    walBytes: total.walBytes + ended.walBytes - begun.walBytes,
  };
}

/** One statement since the counters were reset; times in milliseconds. */
export interface StatementTotals {
  readonly query: string;
  readonly calls: number;
  readonly total: number;
  readonly plan: number;
  readonly wal: number;
}

/** Those that took most of the time since the counters were reset. */
export async function readStatements(admin: Client, database: string): Promise<StatementTotals[]> {
  const { rows } = await admin.query<StatementTotals>(
    `SELECT query, calls::float8 AS calls, total_exec_time AS total, total_plan_time AS plan, wal_bytes::float8 AS wal
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = $1 ORDER BY total_exec_time + total_plan_time DESC LIMIT $2`,
    [database, STATEMENTS_SHOWN_MAX],
  );
  return rows;
}

/** Those of several readings, of which each statement is one; again those that took most. */
export function sumOfStatements(all: readonly StatementTotals[]): StatementTotals[] {
  const sums = new Map<string, StatementTotals>();
  for (const one of all) {
    const { calls, total, plan, wal } = sums.get(one.query) ?? NEVER_CALLED;
    sums.set(one.query, {
      query: one.query,
      calls: calls + one.calls,
      total: total + one.total,
      plan: plan + one.plan,
      wal: wal + one.wal,
    });
  }
  return [...sums.values()]
    .sort((a, b) => b.total + b.plan - (a.total + a.plan))
    .slice(0, STATEMENTS_SHOWN_MAX);
}

export function shareOf(
  { query, calls, total, plan, wal }: StatementTotals,
  items: number,
): StatementShare {
  return {
    statement: query.replaceAll(/\s+/g, ' ').trim().slice(0, STATEMENT_CHARS_MAX),
    callsPerItem: calls / items,
    meanMilliseconds: total / calls,
    millisecondsPerItem: total / items,
    planMillisecondsPerItem: plan / items,
    walBytesPerItem: wal / items,
  };
}
