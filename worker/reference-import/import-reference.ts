import { IDENTIFIER_KINDS, type Region } from '../../shared/contract/enums.ts';
import type { ImportJobData } from '../../shared/queue/job.ts';
import { findDuplicates } from '../../shared/store/reference/import-duplicates.ts';
import {
  findNextImport,
  giveImportBack,
  pruneImportFiles,
  sweepImports,
} from '../../shared/store/reference/import-sweep.ts';
import {
  endImport,
  type FoundError,
  type ImportEnd,
  readChunks,
  type StagedRow,
  stageRows,
  type TakenImport,
  takeImport,
} from '../../shared/store/reference/import-work.ts';
import { FenceLost } from '../../shared/store/registry/commit/read-set.ts';
import type { WorkerContext } from '../context.ts';
import { failureReason } from '../retry-policy.ts';
import { type ReadLine, readReferenceFile } from './read-reference-file.ts';

/** Between two passes. */
export const IMPORT_SWEEP_INTERVAL_MS = 1_000;
/** Lines kept in memory, and between two tellings of progress. */
const LINES_AT_ONCE = 1_000;
/** Errors that are kept; all are counted. */
const ERRORS_KEPT_MAX = 10_000;
/** Pauses after faults of ours, seconds; one more fault and the import has failed. */
const RETRY_PAUSES_SECONDS = [1, 5, 15, 60] as const;

/**
 * Handles one wake-up: takes the import and carries it to its end, from the first line whoever had it before. Never rejects: what
 * fails is tried again by its row. A job delivered twice finds nothing to take.
 */
export async function importReference(
  context: WorkerContext,
  { importId }: ImportJobData,
): Promise<void> {
  const { db, clock, config, logger } = context;
  let taken: TakenImport | undefined;
  try {
    const { leaseSeconds } = config;
    taken = await takeImport(db, importId, { leaseSeconds, now: clock.now() });
  } catch (error) {
    logger.warn({ importId, reason: failureReason(error) }, 'an import could not be taken');
    return;
  }
  if (taken === undefined) return;
  try {
    await carryOut(context, taken);
  } catch (error) {
    if (error instanceof FenceLost) {
      logger.warn({ importId }, 'another worker took the import over; this result is dropped');
    } else {
      await tryAgainLater(context, taken, error);
    }
    return;
  }
  await wakeNext(context);
}

async function carryOut(context: WorkerContext, taken: TakenImport): Promise<void> {
  const { db, clock, keyring, logger } = context;
  const reading = makeReading(context, taken);
  await readReferenceFile(readChunks(db, keyring, taken), reading.take);
  const read = await reading.end();
  const end = { ...read, completedAt: clock.now() };
  const { status, regions } = await endImport(db, taken, end, context.keyring);
  logger.info(
    { importId: taken.id, requestId: taken.requestId, status, rows: read.rowsRead, regions },
    'reference import ended',
  );
}

interface Reading {
  readonly take: (line: ReadLine) => Promise<void>;
  /** After the last line: what only all lines together can show. */
  end(): Promise<Omit<ImportEnd, 'completedAt'>>;
}

/** Collects lines and errors, and keeps them in the database a thousand lines at a time. */
function makeReading({ db, config }: WorkerContext, taken: TakenImport): Reading {
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

/** Should even this write fail, the lease ends by itself. */
async function tryAgainLater(
  { db, clock, logger }: WorkerContext,
  { id, fence, failures, requestId }: TakenImport,
  error: unknown,
): Promise<void> {
  const reason = failureReason(error);
  const retryInSeconds = RETRY_PAUSES_SECONDS[failures];
  const details = { importId: id, requestId, attempt: failures + 1, reason };
  if (retryInSeconds === undefined) logger.error(details, 'reference import failed for good');
  else logger.warn({ ...details, retryInSeconds }, 'reference import failed and is tried again');
  try {
    await giveImportBack(db, { id, fence, reason, retryInSeconds, now: clock.now() });
  } catch (cause) {
    logger.warn(
      { importId: id, reason: failureReason(cause) },
      'an import could not be given back',
    );
  }
}

/** Files are imported one after another; should this fail, the sweeper wakes the next. */
async function wakeNext({ db, producer, logger }: WorkerContext): Promise<void> {
  try {
    const next = await findNextImport(db);
    if (next !== undefined) await producer.enqueueImport(next);
  } catch (error) {
    logger.warn({ reason: failureReason(error) }, 'the next import could not be woken');
  }
}

/**
 * One pass: carries out the import whose wake-up was lost, or waits in the queue behind those of a backlog, and removes what
 * cut uploads left behind. It needs no place among the jobs, which transmissions may hold as long as others wait.
 */
export async function sweepImportsOnce(context: WorkerContext): Promise<void> {
  const { db, clock, logger } = context;
  for (const { id, requestId, attempts, hasFailed } of await sweepImports(db, clock.now())) {
    const details = { importId: id, requestId, attempts };
    if (hasFailed) {
      logger.error(details, 'reference import failed: its workers end without a result');
    } else {
      logger.info(details, 'the sweep carries out an import that was not woken');
      await importReference(context, { importId: id, requestId });
    }
  }
  await pruneImportFiles(db);
}
