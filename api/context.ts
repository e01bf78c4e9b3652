import type { Db } from '../shared/db/prisma.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { Producer } from '../shared/queue/producer.ts';
import type { FeedMark } from '../shared/store/registry/feed/feed-mark.ts';
import type { NonceStore } from './auth/machine/nonce.ts';
import type { Limits } from './auth/rate-limit.ts';
import type { FeedWaiters } from './machine/feed/feed-waiters.ts';
import type { Loaders } from './machine/submission/loaders.ts';
import type { Waiters } from './machine/submission/waiters.ts';
import type { DryRunCounter } from './machine/validation/dry-run-counter.ts';
import type { ReadBacklog } from './throttle/backlog-limit.ts';
import type { TenantLimiter } from './throttle/tenant-limiter.ts';

/** Everything a handler may need, made once a process. */
export interface ApiContext {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly producer: Producer;
  readonly loaders: Loaders;
  readonly readBacklog: ReadBacklog;
  /** The same for estimates of more than half a minute. */
  readonly readWholeBacklog: ReadBacklog;
  readonly waiters: Waiters;
  readonly feedWaiters: FeedWaiters;
  readonly feedMark: FeedMark;
  readonly dryRuns: DryRunCounter;
  readonly nonces: NonceStore;
  readonly limits: Limits;
  /** A tenant is an organization. */
  readonly tenantLimiter: TenantLimiter;
  /** The folder of the built console. It may be missing. */
  readonly consoleFolder: string;
}
