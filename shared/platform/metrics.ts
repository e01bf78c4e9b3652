import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof makeMetrics>;

/** Each call makes its own registry, so that tests do not see each other's numbers. Labels have few values. */
export function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    httpRequestSeconds: new Histogram({
      name: 'registry_http_request_duration_seconds',
      help: 'Duration of HTTP requests by route, method and status; its count is the number of requests.',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    refusals: new Counter({
      name: 'registry_refusals_total',
      help: 'Refused staff sign-ins, token requests and signed requests, by error code.',
      labelNames: ['kind', 'code'] as const,
      registers,
    }),
    transmissionsReceived: new Counter({
      name: 'registry_transmissions_received_total',
      help: 'Transmissions recorded as RECEIVED.',
      labelNames: ['kind'] as const,
      registers,
    }),
    transmissionsSettled: new Counter({
      name: 'registry_transmissions_settled_total',
      help: 'Transmissions that reached a terminal status.',
      labelNames: ['kind', 'status'] as const,
      registers,
    }),
    dryRuns: new Counter({
      name: 'registry_dry_runs_total',
      help: 'Dry runs of transmissions, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    settleSeconds: new Histogram({
      name: 'registry_settle_duration_seconds',
      help: 'Time from the receipt of a transmission to its terminal status.',
      labelNames: ['kind'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
      registers,
    }),
    batchTransmissions: new Histogram({
      name: 'registry_batch_transmissions',
      help: 'Transmissions settled together in one transaction.',
      buckets: [1, 2, 5, 10, 20, 50, 100],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'registry_queue_depth',
      help: 'Transmissions that wait or are being validated.',
      registers,
    }),
    queueOldestSeconds: new Gauge({
      name: 'registry_queue_oldest_age_seconds',
      help: 'Age of the oldest transmission in progress.',
      registers,
    }),
    workersWanted: new Gauge({
      name: 'registry_workers_wanted',
      help: 'Worker processes needed to process the backlog in time: max(settled per second / rate, waiting / (rate * time)) rounded up, in certificates of one vehicle, at least 1 while there is work; time = BACKLOG_DRAIN_SECONDS - age of the oldest, at least a quarter of BACKLOG_DRAIN_SECONDS; rate per worker = the larger of the observed rate and WORKER_RATE_PER_SECOND, or the observed rate when the oldest is older than BACKLOG_DRAIN_SECONDS.',
      registers,
    }),
    processingStalled: new Gauge({
      name: 'registry_processing_stalled',
      help: '1 when transmissions wait and no worker claims any, else 0; the same as GET /health/processing.',
      registers,
    }),
    transmissionsParked: new Gauge({
      name: 'registry_transmissions_parked',
      help: 'Transmissions set aside after their last attempt.',
      registers,
    }),
    feedLagSeconds: new Gauge({
      name: 'registry_feed_lag_seconds',
      help: 'Age of the time up to which the change feed can be read; an open transaction of the database cluster holds it back.',
      registers,
    }),
    poolsToShow: new Gauge({
      name: 'registry_pools_to_show',
      help: 'Changed pools whose records workers still add to a change feed, counted for each organization.',
      registers,
    }),
    sweeperRequeued: new Counter({
      name: 'registry_sweeper_requeued_total',
      help: 'Transmissions that the sweeper enqueued again.',
      registers,
    }),
    queueAddFailures: new Counter({
      name: 'registry_queue_add_failures_total',
      help: 'Jobs that could not be added; the sweeper adds them later.',
      registers,
    }),
    workerRetries: new Counter({
      name: 'registry_worker_retries_total',
      help: 'Attempts that failed because of a service fault and will be retried.',
      registers,
    }),
    redisEvicting: new Gauge({
      name: 'registry_redis_evicting',
      help: '1 when the maxmemory-policy of Redis is not noeviction, else 0.',
      registers,
    }),
    redisEvictedKeys: new Gauge({
      name: 'registry_redis_evicted_keys',
      help: 'Keys that Redis has evicted since it started.',
      registers,
    }),
    nonceEpochs: new Counter({
      name: 'registry_nonce_epochs_total',
      help: 'Losses of nonces that this process noticed; requests signed before a loss are refused.',
      registers,
    }),
    commitConflicts: new Counter({
      name: 'registry_commit_conflicts_total',
      help: 'Commits that another transaction prevented, by reason. The worker decides again on fresh facts.',
      labelNames: ['reason'],
      registers,
    }),
    lateWriters: new Counter({
      name: 'registry_late_writers_total',
      help: 'Results that a worker dropped because another worker had taken over the transmission.',
      registers,
    }),
  };
}

/** Memory, CPU and event loop of this process, for its /metrics only. */
export function collectProcessMetrics(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
}
