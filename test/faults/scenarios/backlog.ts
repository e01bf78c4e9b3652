import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { untilSettled } from '../checks/stored-problems.ts';
import { deliver, type Entry, externalIdOf, submit } from '../round-report.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

const KNOWN = 5;
const AGE_MAX_SECONDS = 2;
const HEALTH_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 250;

/**
 * No worker runs. The health server reports it, the API stays ready, refuses new work before recording it, and still answers
 * requests for known transmissions. When workers start, everything returns to normal.
 */
const backlogRefused: Scenario = {
  name: 'backlog-refused',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 3 },
  certificates: 20,
  strike: async (round) => {
    const { world, load, note } = round;
    await load.done;
    await untilSettled(world);
    await Promise.all([world.api, ...world.workers].map((one) => one.kill()));
    await world.startApi({ environment: { BACKLOG_AGE_MAX_SECONDS: String(AGE_MAX_SECONDS) } });
    const known = Array.from({ length: KNOWN }, newEntry);
    load.report.entries.push(...known);
    for (const entry of known) await deliver(world, load.report, entry, 0);

    await untilHealth(world, '/health/processing', (status) => status === 503);
    note('stalled');
    await untilHealth(world, '/health/ready', (status) => status === 200);
    await untilHealth(world, '/metrics', (_status, text) => {
      const ageSeconds = gaugeOf(text, 'registry_queue_oldest_age_seconds');
      return ageSeconds > AGE_MAX_SECONDS && gaugeOf(text, 'registry_queue_depth') === KNOWN;
    });
    await requireRefused(round);
    for (const entry of known) {
      const { status, error } = await submit(world.client('alpha'), entry, 0);
      if (status !== 409)
        load.report.problems.push(`a known transmission was answered ${error?.code}`);
    }

    await Promise.all([world.startWorker(), world.startWorker()]);
    await untilSettled(world);
    await untilHealth(world, '/health/processing', (status) => status === 200);
    const welcome = newEntry();
    load.report.entries.push(welcome);
    await sleep(AGE_MAX_SECONDS * 1_000);
    await deliver(world, load.report, welcome, 10);
    await world.api.kill();
    await world.restore();
  },
};

async function requireRefused({ world, load, note }: Round): Promise<void> {
  const entry = newEntry();
  const { status, error, retryAfterSeconds } = await submit(world.client('bravo'), entry, 0);
  const recorded = await world.db.transmission.count({
    where: { externalTransactionId: externalIdOf(entry) },
  });
  const isRefused = status === 429 && error?.code === 'RATE_LIMITED' && recorded === 0;
  if (isRefused && (retryAfterSeconds ?? 0) >= 1) note('refused');
  else {
    load.report.problems.push(
      `new work was answered ${status}, Retry-After ${retryAfterSeconds}, ${recorded} recorded`,
    );
  }
}

/** More than the number of failures after which a transmission is parked. */
const FAILURES = 99;

/** A transmission that no worker can open is parked, which the metrics show. It is processed after it was repaired and sent again. */
const parkedAlarms: Scenario = {
  name: 'parked-alarms',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 3 },
  certificates: 20,
  strike: async ({ world, load, note }) => {
    await load.done;
    await untilSettled(world);
    for (const worker of world.workers) worker.signal('SIGSTOP');
    const entry = newEntry();
    load.report.entries.push(entry);
    await deliver(world, load.report, entry, 0);
    const where = { transmissionReference: entry.reference ?? '' };
    const { bodySealed } = await world.db.transmission.findUniqueOrThrow({ where });
    const broken = { bodySealed: new Uint8Array([1]), failures: FAILURES };
    await world.db.transmission.update({ where, data: broken });
    for (const worker of world.workers) worker.signal('SIGCONT');
    await untilHealth(world, '/metrics', (_status, text) => {
      return gaugeOf(text, 'registry_transmissions_parked') === 1;
    });
    note('parked');
    const repaired = { bodySealed, failures: 0, parkedAt: null, sweepAt: new Date(0) };
    await world.db.transmission.update({ where, data: repaired });
    await untilHealth(world, '/metrics', (_status, text) => {
      return gaugeOf(text, 'registry_transmissions_parked') === 0;
    });
  },
};

const BURST = { short: 300, full: 1_500 };
const SENDERS = 48;

/** Compares the Retry-After of every 202 in a burst with the time that the transmission really took. */
const retryAfterHonesty: Scenario = {
  name: 'retry-after-honesty',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 2 },
  certificates: 10,
  strike: async ({ world, load, isFull, note }) => {
    await load.done;
    await untilSettled(world);
    const left = Array.from({ length: isFull ? BURST.full : BURST.short }, newEntry);
    load.report.entries.push(...left);
    const promised: { reference: string; atMs: number; seconds: number }[] = [];
    const sending = left.values();
    const send = async (): Promise<void> => {
      for (const entry of sending) {
        const { status, data, retryAfterSeconds } = await submit(world.client('alpha'), entry, 0);
        if (status !== 202 || data === null || retryAfterSeconds === null) {
          load.report.problems.push(`it was answered ${status}, Retry-After ${retryAfterSeconds}`);
          continue;
        }
        entry.reference = data.transmissionReference;
        promised.push({ reference: entry.reference, atMs: Date.now(), seconds: retryAfterSeconds });
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    await untilSettled(world);
    const rows = await world.db.transmission.findMany({
      where: { transmissionReference: { in: promised.map(({ reference }) => reference) } },
      select: { transmissionReference: true, completedAt: true },
    });
    const doneMs = new Map(
      rows.map((row) => [row.transmissionReference, row.completedAt?.getTime() ?? Number.NaN]),
    );
    // Retry-After is at least one whole second.
    const ratios = promised
      .map(({ reference, atMs, seconds }) => {
        const tookSeconds = ((doneMs.get(reference) ?? Number.NaN) - atMs) / 1_000;
        return seconds / Math.max(tookSeconds, 1);
      })
      .sort((one, other) => one - other);
    const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? 0).toFixed(2);
    note(
      `Retry-After ÷ real time: median ${at(0.5)}, nine in ten ${at(0.9)}, one in ten ${at(0.1)}; of`,
      promised.length,
    );
  },
};

function newEntry(): Entry {
  return { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
}

/** Polls the health server. @throws {Error} with the last answer when the condition is not met in time */
async function untilHealth(
  { healthUrl }: World,
  path: string,
  isExpected: (status: number, text: string) => boolean,
): Promise<void> {
  const endsAt = Date.now() + HEALTH_MS_MAX;
  for (;;) {
    const response = await fetch(`${healthUrl}${path}`);
    const text = await response.text();
    if (isExpected(response.status, text)) return;
    if (Date.now() > endsAt) throw new Error(`${path} still says ${response.status}: ${text}`);
    await sleep(POLL_INTERVAL_MS);
  }
}

function gaugeOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}

export const BACKLOG: readonly Scenario[] = [backlogRefused, parkedAlarms, retryAfterHonesty];
