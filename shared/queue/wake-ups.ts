import type { TransmissionKind } from '../contract/enums.ts';
import type { Enqueued } from './producer.ts';

/** A transmission that was recorded, as far as waking the workers goes. */
export interface ReceivedWork {
  readonly id: string;
  readonly requestId: string;
  readonly kind: TransmissionKind;
  readonly vehicleCount: number;
}

/** New certificates that share one wake-up at most, and their vehicles: less than a worker takes at once, so that several get some. */
export const WOKEN_TOGETHER_MAX = 16;
export const VEHICLES_TOGETHER_MAX = 1_000;

/**
 * Wake-ups for transmissions recorded at the same time. A worker that takes a new certificate also takes others that
 * wait, so they share one; what changes a record takes longer and has its own.
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
