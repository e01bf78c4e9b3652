import { IDENTIFIER_KINDS, type Region } from '../../shared/contract/enums.ts';
import type { ImportJobData } from '../../shared/queue/job.ts';
import { findDuplicates } from '../../shared/store/reference/import-duplicates.ts';
import { endImport, type ImportEnd } from '../../shared/store/reference/import-end.ts';
import {
  failSpentImport,
  findNextImport,
  pruneImportFiles,
  releaseImport,
  sweepImports,
} from '../../shared/store/reference/import-sweep.ts';
import {
  type ClaimedImport,
  claimImport,
  type FoundError,
  IMPORT_ATTEMPTS_MAX,
  readChunks,
  type StagedRow,
  stageRows,
} from '../../shared/store/reference/import-work.ts';
import { FenceLost } from '../../shared/store/registry/commit/read-set.ts';
import type { WorkerContext } from '../context.ts';
import { failureReason } from '../retry-policy.ts';
import { type ReadLine, readReferenceFile } from './read-reference-file.ts';

/** The pause between two passes. */
export const IMPORT_SWEEP_INTERVAL_MS = 1_000;
/** Lines that are kept in memory; progress is reported after as many. */
const LINES_AT_ONCE = 1_000;
/** The most errors that are stored; all are counted. */
const ERRORS_KEPT_MAX = 10_000;
/** Pauses before retries after faults of the service, seconds. The fault after the last pause fails the import. */
const RETRY_PAUSES_SECONDS = [1, 5, 15, 60] as const;

/**
 * Handles one job: claims the import and runs it from the first line to its end, even if another worker had started it. Never
 * rejects: a failed import is retried through its row. A job that is delivered twice finds nothing to claim.
 */
export async function importReference(
  context: WorkerContext,
  { importId }: ImportJobData,
): Promise<void> {
  const { db, clock, config, logger } = context;
  let taken: ClaimedImport | undefined;
  try {
    const { leaseSeconds } = config;
    taken = await claimImport(db, importId, { leaseSeconds, now: clock.now() });
  } catch (error) {
    logger.warn({ importId, reason: failureReason(error) }, 'an import could not be claimed');
    return;
  }
  if (taken === undefined) return;
  try {
    await carryOut(context, taken);
  } catch (error) {
    if (error instanceof FenceLost) {
      logger.warn({ importId }, 'another worker has taken over the import; this result is dropped');
    } else {
      await tryAgainLater(context, taken, error);
    }
    return;
  }
  await wakeNext(context);
}

async function carryOut(context: WorkerContext, taken: ClaimedImport): Promise<void> {
  const { db, clock, config, keyring, logger } = context;
  const reading = makeReading(context, taken);
  await readReferenceFile(readChunks(db, keyring, taken), reading.take);
  const read = await reading.end();
  const end = { ...read, completedAt: clock.now() };
  const { leaseSeconds } = config;
  const { status, regions } = await endImport(db, taken, end, { keys: keyring, leaseSeconds });
  logger.info(
    { importId: taken.id, requestId: taken.requestId, status, rows: read.rowsRead, regions },
    'reference import ended',
  );
}

interface Reading {
  readonly take: (line: ReadLine) => Promise<void>;
  /** Runs after the last line: finds the errors that only all lines together show. */
  end(): Promise<Omit<ImportEnd, 'completedAt'>>;
}

/** Collects lines and errors, and stores them after each thousand lines. */
function makeReading({ db, config }: WorkerContext, taken: ClaimedImport): Reading {
  const errorsOf = new Map<Region, number>();
  const count = (region: Region, errors: number): void => {
    if (errors > 0) errorsOf.set(region, (errorsOf.get(region) ?? 0) + errors);
  };
  let rows: StagedRow[] = [];
  let errors: FoundError[] = [];
  let [rowsRead, bytesRead, errorCount, errorsOfNoRegion, kept] = [0, 0, 0, 0, 0];
  const flush = async (): Promise<void> => {
    const progress = { bytesRead, rowsRead, errorCount };
    await stageRows(db, taken, progress, rows, errors, config.leaseSeconds);
    rows = [];
    errors = [];
  };
  return {
    take: async ({ line, region, identifiers, flaws, bytesRead: upTo }) => {
      rowsRead += 1;
      bytesRead = upTo;
      errorCount += flaws.length;
      if (region !== null) {
        rows.push({ line, region, identifiers });
        count(region, flaws.length);
      } else {
        errorsOfNoRegion += flaws.length;
      }
      for (const flaw of flaws.slice(0, Math.max(ERRORS_KEPT_MAX - kept, 0))) {
        errors.push({ ...flaw, line, position: kept, region });
        kept += 1;
      }
      if (rowsRead % LINES_AT_ONCE === 0) await flush();
    },
    end: async () => {
      for (const kind of IDENTIFIER_KINDS) {
        await flush();
        const positions = { kept, keptMax: ERRORS_KEPT_MAX };
        for (const found of await findDuplicates(db, taken, kind, positions)) {
          count(found.region, found.errors);
          errorCount += found.errors;
          kept += found.errors;
        }
      }
      await flush();
      return { rowsRead, errorsOf, errorsOfNoRegion };
    },
  };
}

/** If this write fails too, the lease ends by itself. */
async function tryAgainLater(
  { db, clock, keyring, logger }: WorkerContext,
  { id, fence, failures, requestId }: ClaimedImport,
  error: unknown,
): Promise<void> {
  const reason = failureReason(error);
  const retryInSeconds = RETRY_PAUSES_SECONDS[failures];
  const details = { importId: id, requestId, attempt: failures + 1, reason };
  if (retryInSeconds === undefined)
    logger.error(details, 'reference import failed after its last attempt');
  else logger.warn({ ...details, retryInSeconds }, 'reference import failed and will be retried');
  try {
    const failure = { id, fence, reason, retryInSeconds, now: clock.now(), keys: keyring };
    await releaseImport(db, failure);
  } catch (cause) {
    logger.warn(
      { importId: id, reason: failureReason(cause) },
      'an import could not be released for a retry; its lease ends by itself',
    );
  }
}

/** Files are imported one after another. If this fails, the sweeper starts the next one. */
async function wakeNext({ db, producer, logger }: WorkerContext): Promise<void> {
  try {
    const next = await findNextImport(db);
    if (next !== undefined) await producer.enqueueImport(next);
  } catch (error) {
    logger.warn(
      { reason: failureReason(error) },
      'the job of the next import could not be added; the sweeper will start it',
    );
  }
}

/** One pass: runs an import whose job was lost, and removes what interrupted uploads left behind. */
export async function sweepImportsOnce(context: WorkerContext): Promise<void> {
  const { db, clock, keyring, logger } = context;
  for (const { id, requestId, attempts } of await sweepImports(db)) {
    const details = { importId: id, requestId, attempts };
    if (attempts >= IMPORT_ATTEMPTS_MAX) {
      if (await failSpentImport(db, { id, now: clock.now(), keys: keyring }))
        logger.error(details, 'reference import failed: its workers end without a result');
    } else {
      logger.info(details, 'the sweeper runs an import whose job was lost');
      await importReference(context, { importId: id, requestId });
    }
  }
  await pruneImportFiles(db);
}
