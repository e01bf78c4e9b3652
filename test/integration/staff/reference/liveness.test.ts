import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { ReferenceImport } from '../../../../shared/contract/staff/reference.ts';
import { endImport } from '../../../../shared/store/reference/import-end.ts';
import {
  claimImport,
  IMPORT_ATTEMPTS_MAX,
  stageRows,
} from '../../../../shared/store/reference/import-work.ts';
import { FenceLost } from '../../../../shared/store/registry/commit/read-set.ts';
import { sweepImportsOnce } from '../../../../worker/reference-import/import-reference.ts';
import { makeBody, makeVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { startWorkerProcess } from '../../../env/api/worker-process.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';
import {
  fileOf,
  IMPORTS,
  importEnded,
  imported,
  lineOf,
  lockRegion,
  queued,
  untilImport,
  vehiclesByRegion,
} from '../../../env/staff/reference-files.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

/** Many times the duration that a worker needs for one transmission. */
const LONG_ENOUGH_TO_PROCESS_MS = 1_000;

let stack: Stack;
let administrator: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    environment: { LEASE_SECONDS: '2', WORKER_CONCURRENCY: '1' },
  });
  administrator = await signInAs(stack, 'ADMINISTRATOR');
});
afterEach(() => stack.stopWorkers());
afterAll(() => stack.stop());

/** Uploads an import whose job is lost, so that only the next sweep finds it. */
async function uploadWithoutJob(region: string): Promise<string> {
  const { producer, db } = stack.api.context;
  const enqueueImport = jest.spyOn(producer, 'enqueueImport').mockRejectedValue(new Error('gone'));
  const { id } = await queued(administrator, fileOf(lineOf(region)));
  enqueueImport.mockRestore();
  await db.referenceImport.update({ where: { id }, data: { sweepAt: new Date(0) } });
  return id;
}

const isRead = ({ status, bytesRead, fileBytes }: ReferenceImport) =>
  status === 'RUNNING' && bytesRead === fileBytes;

/** Claims an import as a worker does. */
async function claimAsWorker(id: string) {
  const { db, clock } = stack.api.context;
  const one = await claimImport(db, id, { leaseSeconds: 1, now: clock.now() });
  if (one === undefined) throw new Error('the import could not be claimed');
  return one;
}

describe('an import', () => {
  it('shows its progress while it runs, and no partial result', async () => {
    const unlock = await lockRegion(stack, 'NCR');
    await stack.addWorker();
    const { id } = await queued(
      administrator,
      fileOf(lineOf('NCR'), lineOf('NCR'), 'CAR,!,,,', lineOf('V')),
    );
    const running = await untilImport(administrator, id, isRead);
    expect(running).toMatchObject({ rowsRead: 4, errorCount: 1, regions: [], completedAt: null });
    const { envelope } = await administrator.get(`${IMPORTS}/${id}/errors`);
    expect(envelope.data).toMatchObject({ items: [{ line: 4, region: 'CAR' }], total: 1 });
    expect(await vehiclesByRegion(administrator)).toEqual({ NCR: 100 });
    await unlock();
    expect(await importEnded(administrator, id)).toMatchObject({ status: 'PARTLY_COMPLETED' });
    expect(await vehiclesByRegion(administrator)).toEqual({ NCR: 2, V: 1 });
  });

  it('continues on another worker when its worker is killed', async () => {
    const unlock = await lockRegion(stack, 'NCR');
    const worker = await startWorkerProcess(stack);
    const { id } = await queued(administrator, fileOf(lineOf('NCR'), lineOf('NCR'), lineOf('NCR')));
    await untilImport(administrator, id, isRead);
    await worker.kill();
    await unlock();
    await stack.addWorker();
    expect(await importEnded(administrator, id)).toMatchObject({
      status: 'COMPLETED',
      attempts: 2,
      rowsRead: 3,
      regions: [{ region: 'NCR', rows: 3, result: 'REPLACED' }],
    });
    expect(await vehiclesByRegion(administrator)).toMatchObject({ NCR: 3 });
  });

  it('is not changed by a worker that returns after another took it over', async () => {
    const { db } = stack.api.context;
    const vehicle = makeVehicle();
    const { id } = await queued(administrator, fileOf(lineOf('X', vehicle)));
    const late = await claimAsWorker(id);
    await stack.addWorker();
    expect(await importEnded(administrator, id)).toMatchObject({
      status: 'COMPLETED',
      rowsRead: 1,
    });
    const progress = { bytesRead: 1, rowsRead: 1, errorCount: 0 };
    const row = {
      line: 2,
      region: 'X' as const,
      identifiers: {
        plateNumber: 'XX99',
        mvFileNumber: null,
        engineNumber: null,
        chassisNumber: null,
      },
    };
    await expect(stageRows(db, late, progress, [row], [], 1)).rejects.toThrow(FenceLost);
    const end = { rowsRead: 1, errorsOf: new Map(), errorsOfNoRegion: 0, completedAt: new Date() };
    const by = { keys: stack.api.context.keyring, leaseSeconds: 1 };
    await expect(endImport(db, late, end, by)).rejects.toThrow(FenceLost);
    expect(await vehiclesByRegion(administrator)).toMatchObject({ X: 1 });
  });

  it('runs after the imports uploaded before it, so that the last upload wins', async () => {
    const files = [1, 2, 3, 4].map((count) =>
      fileOf(...Array.from({ length: count }, () => lineOf('XI'))),
    );
    const ids: string[] = [];
    for (const file of files) ids.push((await queued(administrator, file)).id);
    await Promise.all([stack.addWorker(), stack.addWorker()]);
    const ended = await Promise.all(ids.map((id) => importEnded(administrator, id)));
    expect(ended.map(({ regions }) => regions[0]?.vehiclesBefore)).toEqual([0, 1, 2, 3]);
    expect(await vehiclesByRegion(administrator)).toMatchObject({ XI: 4 });
  });

  it('is found by the sweeper if its job was lost', async () => {
    const id = await uploadWithoutJob('XII');
    await stack.addWorker();
    expect(await importEnded(administrator, id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('is completed by a worker that shuts down during the sweep and starts nothing else', async () => {
    const { db } = stack.api.context;
    const unlock = await lockRegion(stack, 'NCR');
    const id = await uploadWithoutJob('NCR');
    await stack.addWorker();
    await untilImport(administrator, id, isRead);
    const ended = stack.stopWorkers();
    const body = makeBody();
    await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    await sleep(LONG_ENOUGH_TO_PROCESS_MS);
    await unlock();
    await ended;
    expect(await importEnded(administrator, id)).toMatchObject({ status: 'COMPLETED' });
    const { externalTransactionId } = body;
    const [waiting] = await db.transmission.findMany({ where: { externalTransactionId } });
    expect(waiting).toMatchObject({ status: 'RECEIVED', attempts: 0 });
    await stack.addWorker();
    expect(await stack.untilTerminal(externalTransactionId)).toMatchObject({ status: 'ACCEPTED' });
  });

  it('does not wait for transmissions that occupy every job of the worker', async () => {
    const { db } = stack.api.context;
    const holder = new Client({ connectionString: stack.config.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE certificates IN SHARE MODE');
    // One is processed and the next waits: the worker has these two jobs.
    for (const body of [makeBody(), makeBody(), makeBody()])
      await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    await stack.addWorker();
    while ((await db.transmission.count({ where: { status: 'VALIDATING' } })) === 0);
    const { id } = await queued(administrator, fileOf(lineOf('VIII')));
    await db.referenceImport.update({ where: { id }, data: { sweepAt: new Date(0) } });
    expect(await importEnded(administrator, id)).toMatchObject({ status: 'COMPLETED' });
    const [held] = await db.$queryRaw<object[]>`
      SELECT count(*)::int AS held FROM transmissions
      WHERE status IN ('RECEIVED', 'VALIDATING') AND last_error IS NULL`;
    expect(held).toEqual({ held: 3 });
    await holder.end();
    while ((await db.transmission.count({ where: { completedAt: null } })) > 0);
  });

  it('is FAILED after the last attempt if a fault of the service prevents its end, and changes nothing', async () => {
    const { db } = stack.api.context;
    const { id } = await queued(administrator, fileOf(lineOf('XIII')));
    await db.referenceImportChunk.deleteMany({ where: { importId: id } });
    await stack.addWorker();
    const tried = await untilImport(administrator, id, ({ lastError }) => lastError !== null);
    expect(tried).toMatchObject({
      status: 'RUNNING',
      lastError: 'Error: a chunk of the stored file is missing',
    });
    await db.referenceImport.update({
      where: { id },
      data: { failures: 4, dueAt: new Date(0), sweepAt: new Date(0) },
    });
    expect(await importEnded(administrator, id)).toMatchObject({ status: 'FAILED', regions: [] });
    expect(await vehiclesByRegion(administrator)).not.toHaveProperty('XIII');
    // The next import is not blocked.
    expect(await imported(administrator, fileOf(lineOf('XIII')))).toMatchObject({
      status: 'COMPLETED',
    });
  });

  it('is FAILED if it kills its workers', async () => {
    const { db } = stack.api.context;
    const { id } = await queued(administrator, fileOf(lineOf('IX')));
    await db.referenceImport.update({
      where: { id },
      data: { status: 'RUNNING', attempts: IMPORT_ATTEMPTS_MAX, sweepAt: new Date(0) },
    });
    const worker = await stack.addWorker();
    expect(await importEnded(administrator, id)).toMatchObject({
      status: 'FAILED',
      lastError: expect.stringContaining('without a result'),
    });
    expect(await db.referenceImportChunk.count()).toBe(1);
    await db.referenceImportChunk.updateMany({ data: { storedAt: new Date(0) } });
    // The worker sweeps, too: either pass may delete the chunk.
    while ((await db.referenceImportChunk.count()) > 0) await sweepImportsOnce(worker.context);
  });
});

describe('an interrupted upload', () => {
  it('leaves neither an import nor its file behind', async () => {
    const { db } = stack.api.context;
    const imports = await db.referenceImport.count();
    const { hostname, port } = new URL(stack.baseUrl);
    await new Promise<void>((done) => {
      const sending = request({
        hostname,
        port,
        method: 'POST',
        path: IMPORTS,
        agent: false,
        headers: {
          cookie: [...administrator.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          origin: stack.baseUrl,
          'x-ppai-csrf': '1',
          'content-type': 'text/csv',
          'content-length': 2_000_000,
        },
      });
      sending.on('error', () => done());
      sending.write(fileOf(...Array.from({ length: 20_000 }, () => lineOf('NIR'))));
      void (async () => {
        while ((await db.referenceImportChunk.count()) === 0) await new Promise(setImmediate);
        sending.destroy();
      })();
    });
    const chunks = () => db.referenceImportChunk.count();
    expect(await untilSeen(chunks, (count) => count === 0)).toBe(0);
    expect(await db.referenceImport.count()).toBe(imports);
  });
});
