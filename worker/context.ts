import type { Db } from '../shared/db/prisma.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { Config } from '../shared/platform/config/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { CompletionPublisher } from '../shared/queue/completions.ts';
import type { Producer } from '../shared/queue/producer.ts';
import type { BatchesInHand } from './batches-in-hand.ts';
import type { Tally } from './tally.ts';

/** Everything that processing needs, made once a process. */
export interface WorkerContext {
  readonly config: Pick<
    Config,
    'leaseSeconds' | 'registryTimeZone' | 'backlogDrainSeconds' | 'workerRatePerSecond'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly producer: Producer;
  readonly completions: CompletionPublisher;
  readonly tally: Tally;
  readonly batches: BatchesInHand;
  /** True from the moment that the process is told to end: what is in hand is finished, nothing more is taken. */
  readonly isStopping: () => boolean;
}
