import type { Servers } from '../servers.ts';
import {
  addCounters,
  type DatabaseCounters,
  readCounters,
  readStatements,
  resetStatements,
  type StatementTotals,
  sumOfStatements,
} from './database-counters.ts';
import { readUsage, type Usage, type Watched } from './processes.ts';

/** Counts between `begin` and `end`, as often as wanted; a second `begin` forgets the first, and a second `end` changes nothing. */
export interface Meter {
  /** `more` are processes that are watched from now on. */
  begin(more?: readonly Watched[]): Promise<void>;
  end(): Promise<void>;
  read(): Metered;
}

/** By role where it is a map. */
export interface Metered {
  readonly counters: DatabaseCounters;
  readonly cpuMicroseconds: ReadonlyMap<string, number>;
  /** Bytes at the last end. */
  readonly memory: ReadonlyMap<string, number>;
  readonly statements: readonly StatementTotals[];
}

interface Reading {
  readonly usage: Usage;
  readonly counters: DatabaseCounters;
}

const NOTHING: DatabaseCounters = { statements: 0, commits: 0, walBytes: 0 };

export function makeMeter(
  servers: Servers,
  databaseName: string,
  watched: readonly Watched[],
): Meter {
  const { admin } = servers;
  const everything = new Map<number, Watched>();
  const watch = (more: readonly Watched[]): void => {
    for (const one of more) everything.set(one.pid, one);
  };
  watch([...watched, ...servers.watched]);
  const read = async (): Promise<Reading> => ({
    counters: await readCounters(admin, databaseName),
    usage: readUsage([...everything.values()]),
  });
  let begun: Reading | undefined;
  let counters = NOTHING;
  let memory = new Map<string, number>();
  const cpuMicroseconds = new Map<string, number>();
  const statements: StatementTotals[] = [];
  return {
    begin: async (more = []) => {
      watch(more);
      await resetStatements(admin);
      begun = await read();
    },
    end: async () => {
      if (begun === undefined) return;
      const { usage: usageBefore, counters: countersBefore } = begun;
      begun = undefined;
      const ended = await read();
      counters = addCounters(counters, ended.counters, countersBefore);
      for (const [role, usage] of ended.usage) {
        const used = usage.cpuMicroseconds - (usageBefore.get(role)?.cpuMicroseconds ?? 0);
        cpuMicroseconds.set(role, (cpuMicroseconds.get(role) ?? 0) + used);
      }
      memory = new Map([...ended.usage].map(([role, { memoryBytes }]) => [role, memoryBytes]));
      statements.push(...(await readStatements(admin, databaseName)));
    },
    read: () => ({ counters, cpuMicroseconds, memory, statements: sumOfStatements(statements) }),
  };
}
