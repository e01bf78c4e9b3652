import type { TransmissionKind } from '../contract/enums.ts';
import type { Enqueued } from './producer.ts';

/** A recorded transmission for which a worker must be woken. */
export interface ReceivedWork {
  readonly id: string;
  readonly requestId: string;
  readonly kind: TransmissionKind;
  readonly vehicleCount: number;
}

/** The most certificates, and vehicles, that share one job: fewer than a worker claims at once, so that several workers get some. */
export const WOKEN_TOGETHER_MAX = 16;
export const VEHICLES_TOGETHER_MAX = 1_000;

/**
 * The jobs for transmissions that were recorded at the same time. A worker that is woken claims everything that waits, so
 * certificates share a job. A change of a record takes longer and has its own, so that several workers get some.
 */
export function wakeUpsFor(received: readonly ReceivedWork[]): Enqueued[] {
  const wakeUps: Enqueued[] = [];
  let together = 0;
  let vehicles = 0;
  for (const { id, requestId, kind, vehicleCount } of received) {
    if (kind === 'CREATE') {
      together += 1;
      vehicles += vehicleCount;
      const isShared =
        together > 1 && together <= WOKEN_TOGETHER_MAX && vehicles <= VEHICLES_TOGETHER_MAX;
      if (isShared) continue;
      together = 1;
      vehicles = vehicleCount;
    }
    wakeUps.push({ id, requestId });
  }
  return wakeUps;
}
