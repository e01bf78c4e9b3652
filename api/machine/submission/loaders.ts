import { LRUCache } from 'lru-cache';
import { isTerminal } from '../../../shared/contract/enums.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { makeBatcher } from '../../../shared/platform/batch-loader.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import type { Producer } from '../../../shared/queue/producer.ts';
import { type ReceivedWork, wakeUpsFor } from '../../../shared/queue/wake-ups.ts';
import { findTokenHolders, type TokenHolder } from '../../../shared/store/access/clients.ts';
import {
  type Receipt,
  type ReceivedTransmission,
  receive,
} from '../../../shared/store/intake/receive.ts';
import {
  findTransmissions,
  readTransmissions,
  type TransmissionId,
  type TransmissionName,
  type TransmissionView,
} from '../../../shared/store/intake/transmissions.ts';
import {
  type CoverageQuestion,
  type FoundCoverage,
  findCoverages,
} from '../../../shared/store/registry/coverage.ts';

/** The round trips that nearly every request makes, shared by requests that come at the same time. */
export interface RoundTrips {
  /** By the hash of the token in hexadecimal, read after the call; undefined when the token is unknown or expired. */
  findTokenHolder(tokenHash: string): Promise<TokenHolder | undefined>;
  /** Commits a RECEIVED transmission, or says what is recorded under its id already. */
  receive(received: ReceivedTransmission): Promise<Receipt>;
  /** Undefined when there is none of this name that the viewer may see. A terminal one is remembered: it never changes. */
  findTransmission(name: TransmissionName): Promise<TransmissionView | undefined>;
  /** Undefined when no vehicle was ever registered with the identifier. */
  findCoverage(question: CoverageQuestion): Promise<FoundCoverage | undefined>;
  /** Undefined when there is none of this id. */
  readTransmission(asked: TransmissionId): Promise<TransmissionView | undefined>;
  /** Wakes the workers for a recorded transmission; rejects when the queue is out of reach. */
  wakeWorkers(received: ReceivedWork): Promise<void>;
  /** Resolves when no wake-up is under way: answers don't wait for theirs. */
  untilWoken(): Promise<void>;
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
/**
 * A wake-up costs several statements of the queue, wherever it lives, and one is enough for what a worker takes at once.
 * One that comes alone is not delayed.
 */
const WAKE_GAP_MS = 20;
/** Of the terminal transmissions that are remembered, in characters; the largest acknowledgments are not. */
const REMEMBERED_MAX = 16 * 1_024 * 1_024;
const REMEMBERED_ONE_MAX = 64 * 1_024;
/** What one takes beside its acknowledgment. */
const REMEMBERED_ONE_MIN = 512;

export function makeRoundTrips({ db, clock, keyring, producer }: RoundTripsOptions): RoundTrips {
  const wakeWorkers = makeBatcher(
    async (received: readonly ReceivedWork[]) => {
      await producer.enqueue(wakeUpsFor(received));
      return received.map(() => undefined);
    },
    { itemsMax: WOKEN_FOR_MAX, runsMax: RUNS_MAX, gapMs: WAKE_GAP_MS },
  );
  const waking = new Set<Promise<void>>();
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
    findTransmission: rememberTerminal(
      makeBatcher((names: readonly TransmissionName[]) => findTransmissions(db, names), {
        itemsMax: READ_MAX,
        runsMax: RUNS_MAX,
      }),
    ),
    findCoverage: makeBatcher(
      (questions: readonly CoverageQuestion[]) => findCoverages(db, questions, clock.now()),
      { itemsMax: READ_MAX, runsMax: RUNS_MAX },
    ),
    readTransmission: makeBatcher(
      (asked: readonly TransmissionId[]) => readTransmissions(db, asked),
      { itemsMax: READ_MAX, runsMax: RUNS_MAX },
    ),
    wakeWorkers: (received) => {
      const woken = wakeWorkers(received).finally(() => waking.delete(woken));
      waking.add(woken);
      return woken;
    },
    untilWoken: async () => void (await Promise.allSettled(waking)),
  };
}

/** By organization: what one may see of a terminal transmission stays the same, too, unless it names other records. */
function rememberTerminal(find: RoundTrips['findTransmission']): RoundTrips['findTransmission'] {
  const terminal = new LRUCache<string, TransmissionView>({
    maxSize: REMEMBERED_MAX,
    maxEntrySize: REMEMBERED_ONE_MAX,
    sizeCalculation: ({ acknowledgmentJson }) =>
      REMEMBERED_ONE_MIN + (acknowledgmentJson?.length ?? 0),
  });
  return async (name) => {
    const key = `${name.viewer.organizationId} ${name.referenceOrExternalId}`;
    const remembered = terminal.get(key);
    if (remembered !== undefined) return remembered;
    const found = await find(name);
    if (found !== undefined && isTerminal(found.status) && !found.namesRelated) {
      terminal.set(key, found);
    }
    return found;
  };
}
