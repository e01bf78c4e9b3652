import type {
  ReferenceImport,
  ReferenceRegion,
} from '../../../../shared/contract/staff/reference.ts';
import type { Db, Tx } from '../../../../shared/db/prisma.ts';
import { endImport } from '../../../../shared/store/reference/import-end.ts';
import { releaseImport } from '../../../../shared/store/reference/import-sweep.ts';
import {
  type ClaimedImport,
  claimImport,
  stageRows,
} from '../../../../shared/store/reference/import-work.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { startWorkerProcess } from '../../../env/api/worker-process.ts';
import { cursorOf, readFeed, readPage } from '../../../env/feed/feed-reader.ts';
import { auditedActions } from '../../../env/staff/lists.ts';
import {
  fileOf,
  importEnded,
  imported,
  lineOf,
  lockRegion,
  queued,
  readImport,
  untilImport,
  vehiclesByRegion,
} from '../../../env/staff/reference-files.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

// The end of a reference import replaces one region after the other (D68).

const LEASE_SECONDS = 60;

let stack: Stack;
let db: Db;
let administrator: StaffBrowser;
beforeEach(async () => {
  stack = await startStack({ workers: 0, environment: { LEASE_SECONDS: '2' } });
  ({ db } = stack.api.context);
  administrator = await signInAs(stack, 'ADMINISTRATOR');
});
afterEach(() => stack.stop());

async function importNow(...lines: readonly string[]): Promise<void> {
  await stack.addWorker();
  const { status } = await imported(administrator, fileOf(...lines));
  expect(status).toBe('COMPLETED');
  await stack.stopWorkers();
}

/** Claims an import of one new vehicle for each region and stages its lines, as a worker that has read the whole file. */
async function readUpToTheEnd(
  regions: readonly ReferenceRegion['region'][],
): Promise<ClaimedImport> {
  const { id } = await queued(administrator, fileOf(...regions.map((region) => lineOf(region))));
  const taken = await claimImport(db, id, { leaseSeconds: LEASE_SECONDS, now: new Date() });
  if (taken === undefined) throw new Error('the import could not be claimed');
  const rows = regions.map((region, index) => ({
    line: index + 2,
    region,
    identifiers: {
      plateNumber: `NEW${index}`,
      mvFileNumber: null,
      engineNumber: null,
      chassisNumber: null,
    },
  }));
  const progress = { bytesRead: 1, rowsRead: rows.length, errorCount: 0 };
  await stageRows(db, taken, progress, rows, [], LEASE_SECONDS);
  return taken;
}

interface Moments {
  /** Called in each transaction, after its work and before its commit. */
  readonly inside?: (transaction: number) => Promise<void>;
  /** Called after each commit. */
  readonly after?: (transaction: number) => Promise<void>;
}

/** Ends the import, and calls back in each of its transactions. They count from 1. */
function endWatched(taken: ClaimedImport, { inside, after }: Moments) {
  let transactions = 0;
  const watched = new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== '$transaction') return typeof value === 'function' ? value.bind(target) : value;
      return async (work: (tx: Tx) => Promise<unknown>, options: object) => {
        transactions += 1;
        const result = await target.$transaction(async (tx) => {
          const worked = await work(tx);
          await inside?.(transactions);
          return worked;
        }, options);
        await after?.(transactions);
        return result;
      };
    },
  });
  const end = { rowsRead: 2, errorsOf: new Map(), errorsOfNoRegion: 0, completedAt: new Date() };
  return endImport(watched, taken, end, {
    keys: stack.api.context.keyring,
    leaseSeconds: LEASE_SECONDS,
  });
}

const summaryOf = ({ regions }: Pick<ReferenceImport, 'regions'>) =>
  regions.map(({ region, vehiclesBefore }) => [region, vehiclesBefore]);

async function importedAt(region: string): Promise<string | undefined> {
  const { envelope } = await administrator.get('/admin/v1/reference/regions');
  const items = envelope.data?.['items'] as ReferenceRegion[];
  return items.find((one) => one.region === region)?.importedAt;
}

it('lets the change feed go on between two regions', async () => {
  const reader = { get: stack.get, db };
  const taken = await readUpToTheEnd(['NCR', 'V']);
  await stack.addWorker();
  const seen: number[] = [];
  let cursor = await cursorOf(reader, 'alpha');
  const ended = await endWatched(taken, {
    inside: async () => {
      await stack.transmit('alpha', makeBody());
      expect((await readPage(reader, 'alpha', `after=${cursor}`)).items).toEqual([]);
    },
    after: async () => {
      seen.push((await readFeed(reader, 'alpha', { after: cursor })).length);
      cursor = await cursorOf(reader, 'alpha');
    },
  });
  expect(ended.status).toBe('COMPLETED');
  // One transaction for each region, and one for the outcome.
  expect(seen).toEqual([1, 1, 1]);
});

it('continues with the next region on another worker when its worker is killed between two', async () => {
  await importNow(lineOf('V'), lineOf('V'));
  const unlock = await lockRegion(stack, 'V');
  const worker = await startWorkerProcess(stack);
  const { id } = await queued(
    administrator,
    fileOf(lineOf('NCR'), lineOf('V'), lineOf('V'), lineOf('V')),
  );
  const replaced = await untilImport(administrator, id, ({ regions }) => regions.length > 0);
  expect(replaced).toMatchObject({ status: 'RUNNING', completedAt: null });
  expect(summaryOf(replaced)).toEqual([['NCR', 100]]);
  expect(await vehiclesByRegion(administrator)).toEqual({ NCR: 1, V: 2 });
  const firstReplacedAt = await importedAt('NCR');
  await worker.kill();
  await unlock();
  await stack.addWorker();
  const ended = await importEnded(administrator, id);
  expect(ended).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  expect(summaryOf(ended)).toEqual([
    ['NCR', 100],
    ['V', 2],
  ]);
  expect(await vehiclesByRegion(administrator)).toEqual({ NCR: 1, V: 3 });
  expect(await importedAt('NCR')).toBe(firstReplacedAt);
});

it('leaves a region as it was when the transaction that replaces it does not commit', async () => {
  await importNow(lineOf('V'), lineOf('V'));
  const taken = await readUpToTheEnd(['NCR', 'V']);
  const cut = endWatched(taken, {
    inside: async (transaction) => {
      if (transaction === 2) throw new Error('cut');
    },
  });
  await expect(cut).rejects.toThrow('cut');
  expect(await vehiclesByRegion(administrator)).toEqual({ NCR: 1, V: 2 });
  expect(summaryOf(await readImport(administrator, taken.id))).toEqual([['NCR', 100]]);
});

it('says which regions an import had replaced before it FAILED, also in the audit log', async () => {
  const taken = await readUpToTheEnd(['NCR', 'V']);
  const cut = endWatched(taken, {
    after: async (transaction) => {
      if (transaction === 1) throw new Error('cut');
    },
  });
  await expect(cut).rejects.toThrow('cut');
  await releaseImport(db, {
    id: taken.id,
    fence: taken.fence,
    reason: 'a test',
    retryInSeconds: undefined,
    now: new Date(),
    keys: stack.api.context.keyring,
  });
  const failed = await readImport(administrator, taken.id);
  expect(failed.status).toBe('FAILED');
  expect(summaryOf(failed)).toEqual([['NCR', 100]]);
  const audited = await auditedActions(administrator, 'REFERENCE_IMPORT', taken.id);
  expect(audited.at(-1)).toEqual({
    action: 'REFERENCE_IMPORT_ENDED',
    before: { NCR: 100 },
    after: { status: 'FAILED', errorCount: 0, regions: failed.regions },
  });
});
