import { Client } from 'pg';
import type { BenchDatabase, Servers } from '../servers.ts';
import { type Expected, findFaults, readCounts, readLeft, sumOfExpected } from './correctness.ts';
import { type StatementShare, shareOf } from './database-counters.ts';
import { makeMeter } from './meter.ts';
import type { Watched } from './processes.ts';
import { mean, percentile, sumOf } from './statistics.ts';

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

/** What was done in one turn. */
export interface Work {
  /** Within the window. */
  readonly items: number;
  /** Of the items alone, without what was made ready before. */
  readonly elapsedMs: number;
  /** Of the round it is the mean of all turns. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Of requests of the window: percentiles are of those of all turns. */
  readonly latenciesMs?: readonly number[];
  /** Of the whole turn, what came before the window too. Left out by what registers nothing or is checked when it is over. */
  readonly expected?: Expected;
}

export interface Measured {
  readonly servers: Servers;
  readonly database: BenchDatabase;
  readonly watched: readonly Watched[];
  readonly bounds: Bounds;
  /**
   * Of processes that have the database for themselves and work on between the turns: ends them, and says what they must have left
   * since before the first turn was made ready.
   */
  readonly finish?: () => Promise<Expected>;
}

/**
 * The work of a measurement is done in turns: what is compared with it has its own between them, and around each the machine is watched.
 * What is made ready and checked comes between `end` and `begin`.
 */
export interface Bounds {
  readonly turns: number;
  /** Everything is ready. Resolves when it is this one's turn. */
  begin(): Promise<void>;
  /** The turn is over. Resolves when the next is to be made ready; after the last one when all have had theirs. */
  end(): Promise<void>;
}

/** Of what nobody watches, in one turn. */
export const UNWATCHED: Bounds = {
  turns: 1,
  begin: async () => undefined,
  end: async () => undefined,
};

/**
 * What is counted of a turn: CPU of the processes, statements, commits and log of the server, as differences between begin and end.
 * Without a word from the work it is the whole turn.
 */
export interface Window {
  /** What was done until now does not count. `watched` are processes that the work itself has started. */
  begin(watched?: readonly Watched[]): Promise<void>;
  /** What is done from now on does not count. */
  end(): Promise<void>;
}

/**
 * Counts what the turns take that `makeReady` hands out, one after the other, and checks what they left. The statistics of the planner
 * are brought up to date before: else it depends on the moment whether a plan is one for an empty table.
 */
export async function measure(
  { servers, database, watched, bounds, finish }: Measured,
  makeReady: () => Promise<(window: Window) => Promise<Work>>,
): Promise<Sample> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    const meter = makeMeter(servers, database.name, watched);
    const first = await readCounts(client);
    const works: Work[] = [];
    const left = [];
    while (works.length < bounds.turns) {
      const work = await makeReady();
      await bounds.begin();
      const before = finish === undefined ? await readCounts(client) : first;
      await meter.begin();
      works.push(await work(meter));
      await meter.end();
      if (finish === undefined) left.push(await readLeft(client, before));
      await bounds.end();
    }
    const expected = (await finish?.()) ?? sumOfExpected(works);
    if (finish !== undefined) left.push(await readLeft(client, first));
    const items = sumOf(works.map((work) => work.items));
    const { counters, cpuMicroseconds, memory, statements } = meter.read();
    return {
      items,
      perSecond: (items * 1_000) / sumOf(works.map(({ elapsedMs }) => elapsedMs)),
      figures: figuresOf(works),
      cpuPerItem: mapValues(cpuMicroseconds, (microseconds) => microseconds / items),
      memory: mapValues(memory, (bytes) => bytes),
      statementsPerItem: counters.statements / items,
      commitsPerItem: counters.commits / items,
      walBytesPerItem: counters.walBytes / items,
      statements: statements.map((one) => shareOf(one, items)),
      faults: await findFaults(client, first.lastCertificate, left, expected),
    };
  } finally {
    await client.end();
  }
}

function figuresOf(works: readonly Work[]): Record<string, number> {
  const latenciesMs = works.flatMap((work) => work.latenciesMs ?? []);
  const names = new Set(works.flatMap(({ figures = {} }) => Object.keys(figures)));
  return {
    ...(latenciesMs.length === 0
      ? {}
      : {
          p50Ms: percentile(latenciesMs, 50),
          p90Ms: percentile(latenciesMs, 90),
          p99Ms: percentile(latenciesMs, 99),
          maxMs: Math.max(...latenciesMs),
        }),
    ...Object.fromEntries(
      [...names].map((name) => [name, mean(works.map(({ figures }) => figures?.[name] ?? 0))]),
    ),
  };
}

function mapValues<Value>(
  values: ReadonlyMap<string, Value>,
  change: (value: Value) => number,
): Record<string, number> {
  return Object.fromEntries([...values].map(([name, value]) => [name, change(value)]));
}
