import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** One function an event: its log line and its metric stay together. Identifiers go to the log, labels stay few. */
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
  logger.warn(details, 'transmission failed for a fault of the service and will be tried again');
}

/** The gauge of parked transmissions is set by {@link backlogMeasured}, from the rows: several workers would count past each other. */
export function transmissionParked(
  { logger }: EventDeps,
  details: TransmissionDetails & { readonly attempt: number; readonly err: unknown },
): void {
  logger.error(details, 'transmission parked after its last try; staff can send it again');
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
  logger.warn(details, 'another worker had taken the transmission over; this result is dropped');
}

/** Not an error: the row is committed and the sweeper enqueues what the queue missed. */
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

/** `account` is a keyed hash: it tells attempts on one account apart from others, and the audit log names its user. */
export function signInFailed(
  { logger, metrics }: EventDeps,
  details: { readonly code: string; readonly address: string; readonly account: string },
): void {
  metrics.refusals.inc({ kind: 'sign-in', code: details.code });
  logger.info(details, 'sign-in failed');
}

export interface RefusedCaller {
  readonly code: string;
  /** Undefined when it can't be told. */
  readonly address: string | undefined;
  /** As the caller claims, until a token or secret proved it; undefined when it names none. */
  readonly clientId: string | undefined;
}

export function tokenRequestRefused({ logger, metrics }: EventDeps, details: RefusedCaller): void {
  metrics.refusals.inc({ kind: 'token', code: details.code });
  logger.info(details, 'token request refused');
}

/** By the gate, before anything was done. */
export function signedRequestRefused({ logger, metrics }: EventDeps, details: RefusedCaller): void {
  metrics.refusals.inc({ kind: 'request', code: details.code });
  logger.info(details, 'signed request refused');
}

/** `isNews`: the problem is another one than at the look before, or is gone. */
export function redisWatched(
  { logger, metrics }: EventDeps,
  details: {
    readonly evictedKeys: number;
    readonly isEvicting: boolean;
    readonly problem: string | undefined;
    readonly isNews: boolean;
  },
): void {
  metrics.redisEvicting.set(details.isEvicting ? 1 : 0);
  metrics.redisEvictedKeys.set(details.evictedKeys);
  if (!details.isNews) return;
  if (details.problem === undefined) logger.info(details, 'Redis evicts nothing any more');
  else
    logger.error(
      details,
      'Redis may forget nonces: requests signed before are refused when it does',
    );
}

/** Requests signed up to that moment are refused from now on (D19, D61). */
export function nonceEpochBegan(
  { logger, metrics }: EventDeps,
  details: { readonly epochSeconds: number },
): void {
  metrics.nonceEpochs.inc();
  logger.error(
    details,
    'nonces were lost: what was signed before is refused, and nothing is replayed',
  );
}

/** Success is in the access log; here only the measure is taken. `route` is the pattern, never the path. */
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
