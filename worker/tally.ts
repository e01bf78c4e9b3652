import type { WorkerReport } from '../shared/store/intake/backlog.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';

/** What this process took and settled since it last reported, and which it settled lately. */
export interface Tally {
  took(): void;
  settled(transmissions: readonly Pick<TakenTransmission, 'id' | 'cost'>[]): void;
  /** This process settled it lately, in a batch before its own wake-up: nothing is left to do. */
  isSettled(id: string): boolean;
  /** Runs what goes on while others wait. */
  goOn(run: () => Promise<void>): Promise<void>;
  isGoingOn(): boolean;
  /** The counts since the last reading, and the rates over them per second. */
  read(): Omit<WorkerReport, 'id'>;
}

/** Ids remembered; an older one costs a look at its row, nothing more. */
const REMEMBERED_MAX = 20_000;

export function makeTally(): Tally {
  let tookAny = false;
  let settled = 0;
  let cost = 0;
  let goingOn = 0;
  let since = performance.now();
  const remembered = new Set<string>();
  return {
    took: () => {
      tookAny = true;
    },
    settled: (transmissions) => {
      settled += transmissions.length;
      for (const one of transmissions) {
        cost += one.cost;
        remembered.add(one.id);
      }
      for (const id of remembered) {
        if (remembered.size <= REMEMBERED_MAX) break;
        remembered.delete(id);
      }
    },
    // Its one wake-up has come; should another come, the row is looked at.
    isSettled: (id) => remembered.delete(id),
    goOn: async (run) => {
      goingOn += 1;
      try {
        await run();
      } finally {
        goingOn -= 1;
      }
    },
    isGoingOn: () => goingOn > 0,
    read: () => {
      const seconds = Math.max((performance.now() - since) / 1_000, 0.001);
      const reading = {
        tookAny,
        settled,
        settledPerSecond: settled / seconds,
        costPerSecond: cost / seconds,
      };
      tookAny = false;
      settled = 0;
      cost = 0;
      since = performance.now();
      return reading;
    },
  };
}
