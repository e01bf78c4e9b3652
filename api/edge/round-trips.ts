import { makeBatcher } from '../../shared/platform/batcher.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import type { Keyring } from '../../shared/platform/sealing.ts';
import type { Producer } from '../../shared/queue/producer.ts';
import { type ReceivedWork, wakeUpsFor } from '../../shared/queue/wake-ups.ts';
import { findTokenHolders, type TokenHolder } from '../../shared/store/clients.ts';
import type { Db } from '../../shared/store/db.ts';
import { type Receipt, type ReceivedTransmission, receive } from '../../shared/store/receive.ts';
import { readTransmissions, type TransmissionView } from '../../shared/store/transmissions.ts';

/** The round trips that nearly every request makes, shared by requests that come at the same time. */
export interface RoundTrips {
  /** By the hash of the token in hexadecimal, read after the call; undefined when the token is unknown or expired. */
  findTokenHolder(tokenHash: string): Promise<TokenHolder | undefined>;
  /** Commits a RECEIVED transmission, or says what is recorded under its id already. */
  receive(received: ReceivedTransmission): Promise<Receipt>;
  /** Undefined when there is none of this id. */
  readTransmission(id: string): Promise<TransmissionView | undefined>;
  /** Wakes the workers for a recorded transmission; rejects when the queue is out of reach. */
  wakeWorkers(received: ReceivedWork): Promise<void>;
}

export interface RoundTripsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly producer: Producer;
}

/** Few enough that a batch of large bodies stays small. */
const RECEIVED_MAX = 32;
const READ_MAX = 100;
const WOKEN_FOR_MAX = 100;
const RUNS_MAX = 1;

export function makeRoundTrips({ db, clock, keyring, producer }: RoundTripsOptions): RoundTrips {
  return {
    findTokenHolder: makeBatcher(
      async (hashes: readonly string[]) => {
        const holders = await findTokenHolders(db, new Set(hashes), clock.now());
        return hashes.map((hash) => holders.get(hash));
      },
      { itemsMax: READ_MAX, runsMax: RUNS_MAX },
    ),
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
    wakeWorkers: makeBatcher(
      async (received: readonly ReceivedWork[]) => {
        await producer.enqueue(wakeUpsFor(received));
        return received.map(() => undefined);
      },
      { itemsMax: WOKEN_FOR_MAX, runsMax: RUNS_MAX },
    ),
  };
}
