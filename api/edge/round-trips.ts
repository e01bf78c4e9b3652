import { makeBatcher } from '../../shared/platform/batcher.ts';
import type { Keyring } from '../../shared/platform/sealing.ts';
import type { Enqueued, Producer } from '../../shared/queue/producer.ts';
import type { Db } from '../../shared/store/db.ts';
import { type Receipt, type ReceivedTransmission, receive } from '../../shared/store/receive.ts';
import { readTransmissions, type TransmissionView } from '../../shared/store/transmissions.ts';

/** The round trips that nearly every request makes, shared by requests that come at the same time. */
export interface RoundTrips {
  /** Commits a RECEIVED transmission, or says what is recorded under its id already. */
  receive(received: ReceivedTransmission): Promise<Receipt>;
  /** Undefined when there is none of this id. */
  readTransmission(id: string): Promise<TransmissionView | undefined>;
  /** Wakes the workers for a transmission; rejects when the queue is out of reach. */
  enqueue(transmission: Enqueued): Promise<void>;
}

/** Few enough that a batch of large bodies stays small. */
const RECEIVED_MAX = 32;
const READ_MAX = 100;
const ENQUEUED_MAX = 100;
const RUNS_MAX = 2;

export function makeRoundTrips(db: Db, keyring: Keyring, producer: Producer): RoundTrips {
  return {
    receive: makeBatcher((received) => receive(db, keyring, received), {
      itemsMax: RECEIVED_MAX,
      runsMax: RUNS_MAX,
    }),
    readTransmission: makeBatcher(
      async (ids: readonly string[]) => {
        const views = new Map((await readTransmissions(db, ids)).map((view) => [view.id, view]));
        return ids.map((id) => views.get(id));
      },
      { itemsMax: READ_MAX, runsMax: RUNS_MAX },
    ),
    enqueue: makeBatcher(
      async (transmissions: readonly Enqueued[]) => {
        await producer.enqueue(transmissions);
        return transmissions.map(() => undefined);
      },
      { itemsMax: ENQUEUED_MAX, runsMax: RUNS_MAX },
    ),
  };
}
