import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Each event has one function, which writes its log line and its metric. Identifiers go only to the log: labels have few values. */
export interface EventDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface TransmissionDetails {
  readonly transmissionId: string;
  readonly requestId?: string | undefined;
}

export function transmissionReceived(
  { logger, metrics }: EventDeps,
  details: TransmissionDetails & { readonly kind: string; readonly organizationCode: string },
): void {
  metrics.transmissionsReceived.inc({ kind: details.kind });
  logger.info(details, 'transmission received');
}

/** A dry run leaves no row, so the log is the only trace of what was asked (D38). */
export function dryRunEvaluated(
  { logger, metrics }: EventDeps,
  details: { readonly requestId: string; readonly clientId: string; readonly outcome: string },
): void {
  metrics.dryRuns.inc({ outcome: details.outcome });
  logger.info(details, 'dry run evaluated');
}

/** `tookMs` runs from receipt to the terminal status. */
export function transmissionSettled(
  { logger, metrics }: EventDeps,
  details: TransmissionDetails & {
    readonly kind: string;
    readonly status: string;
    readonly tookMs: number;
  },
): void {
  metrics.transmissionsSettled.inc({ kind: details.kind, status: details.status });
  metrics.settleSeconds.observe({ kind: details.kind }, details.tookMs / 1_000);
  logger.info(details, 'transmission settled');
}

export function batchSettled(
  { logger, metrics }: EventDeps,
  details: { readonly transmissions: number; readonly tookMs: number },
): void {
  metrics.batchTransmissions.observe(details.transmissions);
  logger.debug(details, 'batch settled');
}

export function transmissionRetried(
  { logger, metrics }: EventDeps,
  details: TransmissionDetails & {
    readonly attempt: number;
    readonly retryInMs: number;
    readonly err: unknown;
  },
): void {
  metrics.workerRetries.inc();
  logger.warn(details, 'transmission failed because of a service fault and will be retried');
}

/** Does not set the gauge of parked transmissions: {@link backlogMeasured} sets it from the rows, which all workers share. */
export function transmissionParked(
  { logger }: EventDeps,
  details: TransmissionDetails & { readonly attempt: number; readonly err: unknown },
): void {
  logger.error(details, 'transmission parked after its last attempt; staff can send it again');
}

export function transmissionsRequeued(
  { logger, metrics }: EventDeps,
  details: { readonly transmissions: number },
): void {
  if (details.transmissions === 0) return;
  metrics.sweeperRequeued.inc(details.transmissions);
  logger.info(details, 'sweeper enqueued transmissions again');
}

export function lateWriterIgnored(
  { logger, metrics }: EventDeps,
  details: TransmissionDetails,
): void {
  metrics.lateWriters.inc();
  logger.warn(details, 'another worker has taken over the transmission; this result is dropped');
}

/** Why a commit failed because another transaction committed first. */
export type CommitConflict =
  | 'deadlock'
  | 'lock_timeout'
  | 'missing_reference'
  | 'reservation_refused'
  | 'serialization_failure'
  | 'stale_read'
  | 'unique_violation';

/** Only a metric: a conflict is part of normal work under load. */
export function commitConflicted(
  { metrics }: Pick<EventDeps, 'metrics'>,
  reason: CommitConflict,
): void {
  metrics.commitConflicts.inc({ reason });
}

/** Not an error: the row is committed, and the sweeper will enqueue it. */
export function queueAddFailed(
  { logger, metrics }: EventDeps,
  details: { readonly transmissions: number; readonly err: unknown },
): void {
  metrics.queueAddFailures.inc(details.transmissions);
  logger.warn(details, 'queue refused the job; the sweeper will enqueue it');
}

export function backlogMeasured(
  { logger, metrics }: EventDeps,
  details: {
    readonly depth: number;
    readonly oldestSeconds: number;
    readonly parked: number;
    readonly workersWanted: number;
    readonly isStalled: boolean;
  },
): void {
  metrics.queueDepth.set(details.depth);
  metrics.queueOldestSeconds.set(details.oldestSeconds);
  metrics.transmissionsParked.set(details.parked);
  metrics.workersWanted.set(details.workersWanted);
  metrics.processingStalled.set(details.isStalled ? 1 : 0);
  logger.trace(details, 'backlog measured');
}

/** `account` is a keyed hash: it groups attempts on one account without naming it. The audit log names the user. */
export function signInFailed(
  { logger, metrics }: EventDeps,
  details: { readonly code: string; readonly address: string; readonly account: string },
): void {
  metrics.refusals.inc({ kind: 'sign-in', code: details.code });
  logger.info(details, 'sign-in failed');
}

export interface RefusedCaller {
  readonly code: string;
  /** Undefined when it is unknown. */
  readonly address: string | undefined;
  /** As the caller claims, and unproven before a token or secret was verified; undefined when the caller names none. */
  readonly clientId: string | undefined;
}

export function tokenRequestRefused({ logger, metrics }: EventDeps, details: RefusedCaller): void {
  metrics.refusals.inc({ kind: 'token', code: details.code });
  logger.info(details, 'token request refused');
}

/** The authentication steps refused the request (D19) before it had any effect. */
export function signedRequestRefused({ logger, metrics }: EventDeps, details: RefusedCaller): void {
  metrics.refusals.inc({ kind: 'request', code: details.code });
  logger.info(details, 'signed request refused');
}

/** `hasChanged`: the problem differs from that of the previous check, or is gone. */
export function redisWatched(
  { logger, metrics }: EventDeps,
  details: {
    readonly evictedKeys: number;
    readonly isEvicting: boolean;
    readonly problem: string | undefined;
    readonly hasChanged: boolean;
  },
): void {
  metrics.redisEvicting.set(details.isEvicting ? 1 : 0);
  metrics.redisEvictedKeys.set(details.evictedKeys);
  if (!details.hasChanged) return;
  if (details.problem === undefined) logger.info(details, 'Redis no longer evicts keys');
  else
    logger.error(
      details,
      'Redis may evict nonces; when it does, requests signed earlier are refused',
    );
}

/** From now on, requests signed before the loss are refused (D19, D61). */
export function nonceEpochBegan(
  { logger, metrics }: EventDeps,
  details: { readonly epochSeconds: number },
): void {
  metrics.nonceEpochs.inc();
  logger.error(
    details,
    'nonces were lost: requests signed before now are refused, so none can be replayed',
  );
}

/** Only a metric: the access log has the request. `route` is the pattern, never the path. */
export function requestAnswered(
  { metrics }: EventDeps,
  details: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly tookMs: number;
  },
): void {
  metrics.httpRequestSeconds.observe(
    { route: details.route, method: details.method, status: details.status },
    details.tookMs / 1_000,
  );
}
