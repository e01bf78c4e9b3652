import type { Db } from '../../../shared/db/prisma.ts';
import { makeBatchLoader } from '../../../shared/platform/batch-loader.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import type { Producer } from '../../../shared/queue/producer.ts';
import { type ReceivedWork, wakeUpsFor } from '../../../shared/queue/wake-ups.ts';
import { findTokenHolders } from '../../../shared/store/access/clients.ts';
import { type ReceivedTransmission, receive } from '../../../shared/store/intake/receive.ts';
import {
  findTransmissions,
  readTransmissions,
  type TransmissionId,
  type TransmissionName,
} from '../../../shared/store/intake/transmissions.ts';
import { type CoverageQuestion, findCoverages } from '../../../shared/store/registry/coverage.ts';
import { cacheTerminal } from './cache-terminal.ts';

export interface LoadersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly producer: Producer;
}

/** Few enough that a batch of large bodies stays small. */
const RECEIVED_MAX = 32;
/** Under load more transmissions share a commit. It is as long as a commit or shorter, so it delays few of them. */
const RECEIVE_LINGER_MS = 5;
const READ_MAX = 100;
const WOKEN_FOR_MAX = 100;
/** A job costs several statements of the queue, and one job is enough for everything that a worker claims at once. */
const WAKE_LINGER_MS = 20;

export type Loaders = ReturnType<typeof makeLoaders>;

/** The database and queue accesses that nearly every request makes. Requests that come at the same time share them. */
export function makeLoaders({ db, clock, keyring, producer }: LoadersOptions) {
  const wakeWorkers = makeBatchLoader(
    async (received: readonly ReceivedWork[]) => {
      await producer.enqueue(wakeUpsFor(received));
      return received.map(() => undefined);
    },
    { itemsMax: WOKEN_FOR_MAX, lingerMs: WAKE_LINGER_MS },
  );
  const waking = new Set<Promise<void>>();
  return {
    /** Finds the holder by the token's hash in hexadecimal. Undefined when the token is unknown or expired. */
    findTokenHolder: makeBatchLoader(
      async (hashes: readonly string[]) => {
        const holders = await findTokenHolders(db, new Set(hashes), clock.now());
        return hashes.map((hash) => holders.get(hash));
      },
      { itemsMax: READ_MAX },
    ),
    /** Commits a transmission as RECEIVED, or returns what is recorded under its external id already (D5). */
    receive: makeBatchLoader(
      (received: readonly ReceivedTransmission[]) => receive(db, keyring, received),
      { itemsMax: RECEIVED_MAX, lingerMs: RECEIVE_LINGER_MS },
    ),
    /** Undefined when the viewer may see no transmission with this name. */
    findTransmission: cacheTerminal(
      makeBatchLoader((names: readonly TransmissionName[]) => findTransmissions(db, names), {
        itemsMax: READ_MAX,
      }),
    ),
    /** Undefined when no vehicle was ever registered with the identifier. */
    findCoverage: makeBatchLoader(
      (questions: readonly CoverageQuestion[]) => findCoverages(db, questions, clock.now()),
      { itemsMax: READ_MAX },
    ),
    /** Undefined when no transmission has this id. */
    readTransmission: makeBatchLoader(
      (asked: readonly TransmissionId[]) => readTransmissions(db, asked),
      { itemsMax: READ_MAX },
    ),
    /** Sends the workers a job for a recorded transmission. Rejects when the queue cannot be reached. */
    wakeWorkers: (received: ReceivedWork): Promise<void> => {
      const woken = wakeWorkers(received).finally(() => waking.delete(woken));
      waking.add(woken);
      return woken;
    },
    /** Resolves when every job has been sent. Answers do not wait for theirs, but the end of the process does. */
    untilWoken: async (): Promise<void> => void (await Promise.allSettled(waking)),
  };
}
