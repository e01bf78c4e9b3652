import type { Bursts } from '../shared/platform/bursts.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import type { Keyring } from '../shared/platform/sealing.ts';
import type { Turns } from '../shared/platform/turns.ts';
import type { Producer } from '../shared/queue/producer.ts';
import type { Db } from '../shared/store/db.ts';
import type { NonceStore } from './edge/nonce.ts';
import type { Limits } from './edge/rate-limit.ts';
import type { RoundTrips } from './edge/round-trips.ts';
import type { Waiters } from './edge/wait.ts';

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
  readonly waiters: Waiters;
  readonly nonces: NonceStore;
  readonly limits: Limits;
  /** Of the organizations whose requests come at the same time. */
  readonly turns: Turns;
  /** In which an organization is let in that has plenty waiting. */
  readonly bursts: Bursts;
}
