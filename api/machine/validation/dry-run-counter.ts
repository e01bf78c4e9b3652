import type { Db } from '../../../shared/db/prisma.ts';
import { addDryRuns, type DryRuns } from '../../../shared/store/access/dry-run-counts.ts';

/** A process that is killed loses at most the counts of this time. */
export const DRY_RUNS_WRITE_INTERVAL_MS = 60_000;

/** Counts dry runs in memory, so that a dry run writes nothing (D38). */
export interface DryRunCounter {
  count(apiClientId: string, at: Date): void;
  /** Adds the counts since the last call to the database. If this fails, the next call adds them. */
  write(): Promise<void>;
}

export function makeDryRunCounter(db: Db): DryRunCounter {
  /** By client; a client has at most one entry. */
  const counted = new Map<string, DryRuns>();
  const add = ({ apiClientId, count, lastAt }: DryRuns): void => {
    const before = counted.get(apiClientId)?.count ?? 0;
    counted.set(apiClientId, { apiClientId, count: before + count, lastAt });
  };
  return {
    count: (apiClientId, at) => add({ apiClientId, count: 1, lastAt: at }),
    write: async () => {
      const dryRuns = [...counted.values()];
      if (dryRuns.length === 0) return;
      counted.clear();
      try {
        await addDryRuns(db, dryRuns);
      } catch (error) {
        for (const one of dryRuns) add(one);
        throw error;
      }
    },
  };
}
