import type { Db } from '../shared/db/prisma.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { Config } from '../shared/platform/config/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { CompletionPublisher } from '../shared/queue/completions.ts';
import type { Producer } from '../shared/queue/producer.ts';
import type { WorkerStats } from './stats.ts';

/** Everything that processing needs; one per process. */
export interface WorkerContext {
  readonly config: Pick<
    Config,
    | 'leaseSeconds'
    | 'registryEnvironment'
    | 'registryTimeZone'
    | 'backlogDrainSeconds'
    | 'workerRatePerSecond'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly producer: Producer;
  readonly completions: CompletionPublisher;
  readonly stats: WorkerStats;
  /** True once the process has been told to stop: it finishes the batches in flight and claims nothing more. */
  readonly isStopping: () => boolean;
}
