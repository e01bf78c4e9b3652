import type { WorkerReport } from '../shared/store/intake/backlog.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';

/** The work of this process since its last report. */
export interface WorkerStats {
  /** Call the returned function when the batch ends. */
  startBatch(): () => void;
  finished(transmissions: readonly Pick<ClaimedTransmission, 'cost'>[]): void;
  /** Milliseconds since the start of the oldest batch in flight; 0 when none is. */
  oldestBatchMs(): number;
  /** The counts since the last call, and the rates per second over that time. */
  read(): Omit<WorkerReport, 'id'>;
}

export function makeStats(nowMs: () => number = () => performance.now()): WorkerStats {
  /** When the batches in flight started, the oldest first. */
  const inFlight = new Map<symbol, number>();
  let claimedAny = false;
  let finished = 0;
  let cost = 0;
  let since = nowMs();
  return {
    startBatch: () => {
      const batch = Symbol('batch');
      inFlight.set(batch, nowMs());
      claimedAny = true;
      return () => inFlight.delete(batch);
    },
    finished: (transmissions) => {
      finished += transmissions.length;
      for (const one of transmissions) cost += one.cost;
    },
    oldestBatchMs: () => {
      const [oldest] = inFlight.values();
      return oldest === undefined ? 0 : nowMs() - oldest;
    },
    read: () => {
      const seconds = Math.max((nowMs() - since) / 1_000, 0.001);
      const report = {
        claimedAny,
        settled: finished,
        settledPerSecond: finished / seconds,
        costPerSecond: cost / seconds,
      };
      claimedAny = false;
      finished = 0;
      cost = 0;
      since = nowMs();
      return report;
    },
  };
}
