import type { Db } from '../shared/db/prisma.ts';
import type { Bursts } from '../shared/platform/bursts.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import type { Keyring } from '../shared/platform/secrets/sealing.ts';
import type { Turns } from '../shared/platform/turns.ts';
import type { Producer } from '../shared/queue/producer.ts';
import type { NonceStore } from './auth/machine/nonce.ts';
import type { Limits } from './auth/rate-limit.ts';
import type { RoundTrips } from './machine/submission/loaders.ts';
import type { Waiters } from './machine/submission/waiters.ts';
import type { ReadBacklog } from './throttle/backlog-limit.ts';

/** Everything a handler may need, made once a process. */
export interface ApiContext {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly producer: Producer;
  readonly roundTrips: RoundTrips;
  readonly readBacklog: ReadBacklog;
  readonly waiters: Waiters;
  readonly nonces: NonceStore;
  readonly limits: Limits;
  /** Of the organizations whose requests come at the same time. */
  readonly turns: Turns;
  /** In which an organization is let in that has plenty waiting. */
  readonly bursts: Bursts;
}
