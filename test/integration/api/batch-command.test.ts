import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../client/cli.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { makeBody, makeVehicle } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import { untilReadable } from '../../env/feed/feed-reader.ts';

// The command line against a registry (D42).

const COUNT = 40;
const REJECTED_EVERY = 10;

let stack: Stack;
let folder: string;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  folder = mkdtempSync(join(tmpdir(), 'batch-command-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stack.stop();
});

async function run(...args: string[]) {
  const [data, messages]: [string[], string[]] = [[], []];
  const exitCode = await runCli(args, {
    environment: clientEnvironment(stack.baseUrl, stack.client('alpha')),
    console: { data: (text) => data.push(text), message: (text) => messages.push(text) },
    readInput: () => Buffer.alloc(0),
  });
  return { exitCode, data: data.join('\n'), messages: messages.join('\n') };
}

function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const bodies: TransmissionBody[] = Array.from({ length: COUNT }, (_, index) =>
  makeBody({
    vehicles: [
      makeVehicle({ region: 'CAR', ...(index % REJECTED_EVERY === 0 && { chassisNumber: null }) }),
    ],
  }),
);

const linesOfBodies = () => bodies.map((body) => JSON.stringify(body)).join('\n');

it('a dry run tells the outcomes that the batch then has, and registers nothing', async () => {
  const file = join(folder, 'night.ndjson');
  writeFileSync(file, linesOfBodies());
  const { exitCode, messages } = await run('batch', 'send', file, '--dry-run=registry');
  expect(exitCode).toBe(3);
  expect(messages).toContain(`accepted ${COUNT - COUNT / REJECTED_EVERY}, flagged 0`);
  expect(messages).toContain(`Most frequent codes: REQUIRED ${COUNT / REJECTED_EVERY}`);
  expect(await stack.api.context.db.transmission.count()).toBe(0);
});

it('a batch that is sent without waiting agrees with the database after another run', async () => {
  const file = join(folder, 'night.ndjson');
  writeFileSync(file, linesOfBodies());
  const first = await run(
    'batch',
    'send',
    file,
    '--async',
    '--deadline',
    '0',
    '--batch',
    'night-0001',
  );
  expect(first).toMatchObject({
    exitCode: 4,
    messages: expect.stringContaining(`without an outcome yet ${COUNT}`),
  });

  const status = await run('batch', 'status', file, '--json');
  expect(JSON.parse(status.data)).toMatchObject({
    total: COUNT,
    unsent: 0,
    open: COUNT,
    registry: { batch: 'night-0001', total: COUNT, byStatus: { RECEIVED: COUNT, ACCEPTED: 0 } },
  });

  await stack.addWorker();
  const second = await run('batch', 'send', file, '--async');
  expect(second.exitCode).toBe(3);
  expect(second.messages).toContain(`accepted ${COUNT - COUNT / REJECTED_EVERY}`);

  const after = await run('batch', 'status', '--batch', 'night-0001', '--json');
  expect(JSON.parse(after.data)).toMatchObject({
    byStatus: { RECEIVED: 0, REJECTED: COUNT / REJECTED_EVERY },
    byErrorCode: { VALIDATION_FAILED: COUNT / REJECTED_EVERY },
  });

  const rows = await stack.api.context.db.transmission.findMany({
    where: { externalTransactionId: { in: bodies.map((body) => body.externalTransactionId) } },
    select: { externalTransactionId: true, status: true, transmissionReference: true },
  });
  const settled = linesOf(`${file}.journal.ndjson`).filter(({ type }) => type === 'settled');
  const inJournal = settled.map(({ id, end, transmissionReference }) => [
    id,
    [String(end).toUpperCase(), transmissionReference],
  ]);
  const inDatabase = rows.map((row) => [
    row.externalTransactionId,
    [row.status, row.transmissionReference],
  ]);
  expect(inJournal).toHaveLength(COUNT);
  expect(Object.fromEntries(inJournal)).toEqual(Object.fromEntries(inDatabase));
  expect(settled.find(({ end }) => end === 'rejected')).toMatchObject({
    line: 1,
    details: [{ code: 'REQUIRED', field: 'vehicles[0].chassisNumber' }],
  });
});

it('refused certificates can be corrected in a file and sent from there', async () => {
  const file = join(folder, 'night.ndjson');
  const out = join(folder, 'failed.ndjson');
  await run('batch', 'retry', file, '--failed-only', out);
  const corrected = linesOf(out).map((body) => ({
    ...body,
    vehicles: [makeVehicle({ region: 'CAR' })],
  }));
  writeFileSync(out, corrected.map((body) => JSON.stringify(body)).join('\n'));
  const { exitCode, messages } = await run('batch', 'send', out);
  expect({ exitCode, messages }).toEqual({
    exitCode: 0,
    messages: expect.stringContaining(`accepted ${COUNT / REJECTED_EVERY}`),
  });
});

it('a mirror has every change of the sender once, also when it is run again', async () => {
  const file = join(folder, 'mirror.ndjson');
  await untilReadable(stack.api.context.db);
  for (const _ of [1, 2]) expect((await run('mirror', file, '--once')).exitCode).toBe(0);
  const completed = linesOf(file)
    .filter(({ type }) => type === 'TRANSMISSION_COMPLETED')
    .map(({ transmissionReference }) => transmissionReference);
  const rows = await stack.api.context.db.transmission.findMany({
    where: { status: { in: ['ACCEPTED', 'FLAGGED', 'REJECTED'] } },
    select: { transmissionReference: true },
  });
  expect(completed).toHaveLength(rows.length);
  expect(new Set(completed)).toEqual(new Set(rows.map((row) => row.transmissionReference)));
});
