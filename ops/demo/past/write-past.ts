import { type Db, openDb } from '../../../shared/db/prisma.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { calendarDate, makeMovableClock } from '../../../shared/platform/clock.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { countNextHour } from '../../../shared/store/history/count-hours.ts';
import { recordQueueSamples } from '../../../shared/store/history/record-queue.ts';
import { startWorker } from '../../../worker/worker.ts';
import { decideOldFlags } from './decide-flags.ts';
import { importFiles } from './import-files.ts';
import { parkTransmissions } from './park.ts';
import { makePastDay } from './past-certificates.ts';
import { type Burst, PAST_DAYS, type PastPeriod, planBursts, startOfDay } from './plan-bursts.ts';
import { queueSamples } from './queue-samples.ts';
import { findSenders, type Senders } from './receive-at.ts';
import { writeRecords } from './write-records.ts';

export interface PastOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  /** Called before it begins, unless nothing is to be written. */
  readonly onBegin: () => void;
}

/**
 * Writes four weeks of history to a registry that has the demonstration data and no transmission yet; otherwise it does nothing.
 * The transmissions go through the store and a worker whose clock is moved, so records, flags and counts agree. No API and no
 * other worker may run meanwhile. Returns the number of transmissions; undefined when it wrote nothing.
 */
export async function writePast({
  config,
  logger,
  onBegin,
}: PastOptions): Promise<number | undefined> {
  const { databaseUrl } = config;
  const db = openDb({ databaseUrl, poolMax: 2, applicationName: 'demo' });
  try {
    const senders = await findSenders(db);
    if (senders === undefined || (await hasTransmissions(db))) return undefined;
    onBegin();
    const now = new Date();
    const timeZone = config.registryTimeZone;
    const period: PastPeriod = { now, timeZone, today: calendarDate(now, timeZone) };
    const bursts = planBursts(period);
    const registered = await runPast({ config, logger }, senders, period, bursts);
    await writeHistory(db, period, bursts);
    // Last, because a running worker would register them.
    const at = { receivedAt: now, day: period.today };
    const keyring = makeKeyring(config.encryptionKeys);
    const parked = await parkTransmissions(
      { db, keyring, senders },
      makePastDay(period.today, -1),
      at,
    );
    return registered + parked;
  } finally {
    await db.$disconnect();
  }
}

async function hasTransmissions(db: Db): Promise<boolean> {
  return (await db.transmission.findFirst({ select: { id: true } })) !== null;
}

/** Registers the bursts at their moments. The decisions on flags and the imports are of now. */
async function runPast(
  { config, logger }: Pick<PastOptions, 'config' | 'logger'>,
  senders: Senders,
  { now, today }: PastPeriod,
  bursts: readonly Burst[],
): Promise<number> {
  const clock = makeMovableClock(bursts[0]?.receivedAt ?? now);
  const worker = await startWorker({ config, clock, logger, metrics: makeMetrics() });
  try {
    const { context } = worker;
    const count = await writeRecords({ context, clock, senders }, bursts, today);
    clock.moveTo(now);
    await decideOldFlags(context);
    await importFiles(context);
    return count;
  } finally {
    await worker.close();
  }
}

const SAMPLES_AT_ONCE = 5_000;

/** What the charts of the console show (D83). */
async function writeHistory(
  db: Db,
  { now, today, timeZone }: PastPeriod,
  bursts: readonly Burst[],
): Promise<void> {
  const from = startOfDay(addDays(today, -PAST_DAYS), timeZone);
  const samples = queueSamples(bursts, from, now);
  for (let at = 0; at < samples.length; at += SAMPLES_AT_ONCE)
    await recordQueueSamples(db, samples.slice(at, at + SAMPLES_AT_ONCE));
  while ((await countNextHour(db, now)) !== undefined);
}
