import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BOTH, type Round, type Scenario } from '../../scenario.ts';
import { type RequestCounter, startRequestCounter } from '../../wire/request-counter.ts';
import type { World } from '../../world.ts';
import { type BatchClient, makeBatchClient, type SendingClient } from './batch-client.ts';
import { writeBatchFile } from './batch-file.ts';
import { findReportProblems } from './judge-report.ts';

const CERTIFICATES = { short: 1_000, full: 100_000 } as const;
const LIMIT_MS = 60 * 60_000;
/** What the client may use, and the share of its requests that may be reads (D42). */
const MEGABYTES_MAX = 200;
const READS_SHARE_MAX = 0.02;
/** A small batch may read so often in addition. */
const READS_MIN = 60;
/** The kills are spread over this share of the batch. */
const LAST_SHARE = 0.9;
const PAUSE_MS_MAX = 500;
const POLL_INTERVAL_MS = 250;
const MESSAGES_SHOWN = 2_000;
/** At least one certificate was rejected. */
const EXIT_REFUSED = 3;
/** The organization of the client alpha. */
const ISSUER = 'INS-ALPHA';
const VICTIMS = ['client', 'api', 'worker'] as const;

const Status = z.object({
  total: z.number(),
  registry: z.object({ total: z.number() }).nullable(),
});

/** `batch send --async` of many certificates, while client, API and worker are killed at random moments (D42). */
const batchOfMany: Scenario = {
  name: 'batch-of-many',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 1 },
  strikes: { short: 3, full: 30 },
  certificates: 4,
  roundMsMax: () => LIMIT_MS,
  strike: async (round) => {
    await round.load.done;
    const folder = mkdtempSync(join(tmpdir(), 'batch-of-many-'));
    const apiPort = Number(new URL(round.world.baseUrl).port);
    const requests = await startRequestCounter(() => apiPort);
    try {
      await sendAndJudge(round, folder, requests);
    } finally {
      await requests.close();
      rmSync(folder, { recursive: true });
    }
  },
};

/** The same without kills, to compare its time with the benchmark's. */
const batchUndisturbed: Scenario = {
  ...batchOfMany,
  name: 'batch-undisturbed',
  isOptional: true,
  strikes: { short: 0, full: 0 },
};

export const BATCH_OF_MANY: readonly Scenario[] = [batchOfMany, batchUndisturbed];

async function sendAndJudge(round: Round, folder: string, requests: RequestCounter) {
  const { world, load, isFull, note } = round;
  const count = CERTIFICATES[isFull ? 'full' : 'short'];
  const name = `many-${round.index}-${Date.now()}`;
  const file = join(folder, 'many.ndjson');
  const outputFile = join(folder, 'messages.txt');
  await writeBatchFile(file, count);
  const client = makeBatchClient({
    program: world.build.fileOf('client/main'),
    baseUrl: requests.baseUrl,
    credentials: world.credentialsOf('alpha'),
    sendArguments: [file, '--async', '--batch', name, '--deadline', '60', '--give-up-after', '5'],
    outputFile,
  });
  const startedAtMs = Date.now();
  const exitCode = await sendAndKill(round, client, { name, count, file });
  note('seconds', Math.round((Date.now() - startedAtMs) / 1_000));
  note('certificates', count);
  const report = join(folder, 'report.csv');
  await client.run('report', file, report);
  const problems = await findReportProblems(world.db, name, count, report);
  if (exitCode !== EXIT_REFUSED) problems.push(`the client exited with ${exitCode}`);
  problems.push(...findExcess(client, requests, note));
  if (problems.length > 0) {
    problems.push(`its messages: ${readFileSync(outputFile, 'utf8').slice(-MESSAGES_SHOWN)}`);
  }
  load.report.problems.push(...problems);
}

interface Batch {
  readonly name: string;
  readonly count: number;
  readonly file: string;
}

/** Returns the exit code of the last client. */
async function sendAndKill(
  round: Round,
  client: BatchClient,
  batch: Batch,
): Promise<number | null> {
  const { world, random, strikes, note } = round;
  let sending = client.send();
  try {
    const first = random.below(VICTIMS.length);
    for (let done = 0; done < strikes; done += 1) {
      const share = (LAST_SHARE * (done + 1)) / (strikes + 1);
      if (!(await hasReceived(world, batch, share, sending))) break;
      await sleep(random.below(PAUSE_MS_MAX));
      const victim = VICTIMS[(first + done) % VICTIMS.length];
      if (victim === 'client') {
        await sending.kill();
        await requireStatus(client, batch);
        sending = client.send();
      } else {
        await killAndRestore(world, victim === 'api' ? world.api : world.workers[0], () =>
          requireStatus(client, batch),
        );
      }
      note(`${victim} kills`);
    }
    return await sending.ended;
  } finally {
    await sending.kill();
  }
}

async function killAndRestore(
  world: World,
  victim: World['api'] | undefined,
  meanwhile: () => Promise<void>,
): Promise<void> {
  if (victim === undefined) throw new Error('no worker runs');
  await victim.kill();
  await meanwhile();
  await world.restore();
}

/** False when the client has ended before. */
async function hasReceived(
  { db }: World,
  { name, count }: Batch,
  share: number,
  sending: SendingClient,
): Promise<boolean> {
  // The index of batches begins with the organization.
  const { id: organizationId } = await db.organization.findFirstOrThrow({
    where: { code: ISSUER },
  });
  while (sending.isRunning) {
    const received = await db.transmission.count({ where: { organizationId, batch: name } });
    if (received >= share * count) return true;
    await sleep(POLL_INTERVAL_MS);
  }
  return false;
}

/** The status must be there at any time: by the journal, and by the registry while its API runs. */
async function requireStatus(client: BatchClient, { file, count }: Batch): Promise<void> {
  const { total } = Status.parse(JSON.parse(await client.run('status', file, '--json')));
  if (total !== count) throw new Error(`the status tells ${total} of ${count} certificates`);
}

function findExcess(
  { peakMegabytes }: BatchClient,
  { sends, reads }: RequestCounter,
  note: Round['note'],
): string[] {
  note('sends', sends);
  note('reads', reads);
  note('client MB', peakMegabytes ?? 0);
  const readsMax = sends * READS_SHARE_MAX + READS_MIN;
  return [
    ...(reads > readsMax ? [`${reads} reads for ${sends} sends`] : []),
    ...((peakMegabytes ?? 0) > MEGABYTES_MAX ? [`the client used ${peakMegabytes} MB`] : []),
  ];
}
