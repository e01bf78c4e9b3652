import { Client } from 'pg';
import type { BenchDatabase, Servers } from '../servers.ts';
import { type Expected, findFaults, readCounts, readLeft } from './correctness.ts';
import {
  type DatabaseCounters,
  readCounters,
  readStatements,
  resetStatements,
  type StatementShare,
  type StatementTotals,
  shareOf,
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
  /** Within the window. */
  readonly items: number;
  /** Of the items alone, without what was made ready before. */
  readonly elapsedMs: number;
  readonly figures?: Readonly<Record<string, number>>;
  /** Of the whole work, what came before the window too. Undefined when the cell registers nothing. */
  readonly expected?: Expected;
}

export interface Measured {
  readonly servers: Servers;
  readonly database: BenchDatabase;
  readonly watched: readonly Watched[];
  readonly bounds: Bounds;
}

/**
 * Around the work of a measurement alone, without what is made ready before and checked after it: the machine is watched
 * here, and what is compared with it can be measured before `begin` and before `end` resolve.
 */
export interface Bounds {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Of what nobody watches. */
export const UNWATCHED: Bounds = { begin: async () => undefined, end: async () => undefined };

/**
 * What is counted: CPU of the processes, statements, commits and log of the server, as differences between begin and end.
 * Without a word from the work it is the whole work.
 */
export interface Window {
  /** What was done until now does not count. `watched` are processes that the work itself has started. */
  begin(watched?: readonly Watched[]): Promise<void>;
  /** What is done from now on does not count. */
  end(): Promise<void>;
}

interface Reading {
  readonly usage: Usage;
  readonly counters: DatabaseCounters;
}

/**
 * Counts what `work` takes, and checks what it left. The statistics of the planner are brought up to date before: else it
 * depends on the moment whether a plan is one for an empty table.
 */
export async function measure(
  { servers, database, watched, bounds }: Measured,
  work: (window: Window) => Promise<Work>,
): Promise<Sample> {
  const { admin } = servers;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    await bounds.begin();
    const countsBefore = await readCounts(client);
    let everything = [...watched, ...servers.watched];
    const read = async (): Promise<Reading> => ({
      counters: await readCounters(admin, database.name),
      usage: readUsage(everything),
    });
    let begun: Reading | undefined;
    let ended: (Reading & { readonly statements: StatementTotals[] }) | undefined;
    const window: Window = {
      begin: async (more = []) => {
        everything = [...everything, ...more];
        await resetStatements(admin);
        begun = await read();
      },
      end: async () => {
        ended = { ...(await read()), statements: await readStatements(admin, database.name) };
      },
    };
    await window.begin();
    const { items, elapsedMs, figures = {}, expected } = await work(window);
    if (ended === undefined) await window.end();
    const left = await readLeft(client, countsBefore);
    await bounds.end();
    if (begun === undefined || ended === undefined) throw new Error('the window was never open');
    const { usage: usageBefore, counters: countersBefore } = begun;
    const { usage, counters, statements } = ended;
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
      statements: statements.map((one) => shareOf(one, items)),
      faults: await findFaults(
        client,
        left,
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
