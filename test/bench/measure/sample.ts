import { Client } from 'pg';
import type { BenchDatabase, Servers } from '../servers.ts';
import { type Expected, findFaults, readCounts } from './correctness.ts';
import {
  readCounters,
  readStatements,
  resetStatements,
  type StatementShare,
} from './database-counters.ts';
import { readUsage, type Usage, type Watched } from './processes.ts';

/** What one cell did in one round. */
export interface Sample {
  readonly items: number;
  readonly perSecond: number;
  /** Further figures of the cell, by name. */
  readonly figures: Readonly<Record<string, number>>;
  /** Microseconds of CPU per item, by role. */
  readonly cpuPerItem: Readonly<Record<string, number>>;
  /** Bytes at the end, by role. */
  readonly memory: Readonly<Record<string, number>>;
  readonly statementsPerItem: number;
  readonly commitsPerItem: number;
  readonly walBytesPerItem: number;
  readonly statements: readonly StatementShare[];
  /** Empty when the cell counts. */
  readonly faults: readonly string[];
}

export interface Work {
  readonly items: number;
  /** Of the items alone, without what was made ready before. */
  readonly elapsedMs: number;
  readonly figures?: Readonly<Record<string, number>>;
  /** Undefined when the cell registers nothing. */
  readonly expected?: Expected;
}

export interface Measured {
  readonly servers: Servers;
  readonly database: BenchDatabase;
  readonly watched: readonly Watched[];
}

/**
 * Reads the counters around `work`, which must do nothing but the items, and checks what it left. The statistics of the
 * planner are brought up to date before: else it depends on the moment whether a plan is one for an empty table.
 */
export async function measure(
  { servers, database, watched }: Measured,
  work: () => Promise<Work>,
): Promise<Sample> {
  const { admin } = servers;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    const countsBefore = await readCounts(client);
    await resetStatements(admin);
    const countersBefore = await readCounters(admin, database.name);
    const everything = [...watched, ...servers.watched];
    const usageBefore = readUsage(everything);
    const { items, elapsedMs, figures = {}, expected } = await work();
    const usage = readUsage(everything);
    const counters = await readCounters(admin, database.name);
    const statements = await readStatements(admin, database.name, items);
    return {
      items,
      perSecond: (items * 1_000) / elapsedMs,
      figures,
      cpuPerItem: mapUsage(
        usage,
        (role, { cpuMicroseconds }) =>
          (cpuMicroseconds - (usageBefore.get(role)?.cpuMicroseconds ?? 0)) / items,
      ),
      memory: mapUsage(usage, (_role, { memoryBytes }) => memoryBytes),
      statementsPerItem: (counters.statements - countersBefore.statements) / items,
      commitsPerItem: (counters.commits - countersBefore.commits) / items,
      walBytesPerItem: (counters.walBytes - countersBefore.walBytes) / items,
      statements,
      faults: await findFaults(
        client,
        countsBefore,
        expected ?? { accepted: 0, registered: 0, vehicles: 0 },
      ),
    };
  } finally {
    await client.end();
  }
}

function mapUsage(
  usage: Usage,
  value: (role: string, usage: { cpuMicroseconds: number; memoryBytes: number }) => number,
): Record<string, number> {
  return Object.fromEntries([...usage].map(([role, one]) => [role, value(role, one)]));
}
