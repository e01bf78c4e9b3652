import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { deliver, type Entry, externalIdOf, submit } from '../book.ts';
import { untilSettled } from '../flaws/stored-flaws.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

const KNOWN = 5;
const AGE_MAX_SECONDS = 2;
const TOLD_MS_MAX = 60_000;
const LOOK_EVERY_MS = 250;

/**
 * Nobody takes what waits: that is told and the API stays ready, new work is refused before anything is recorded, what is known
 * is answered; and with the workers all of it ends.
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
    load.book.entries.push(...known);
    for (const entry of known) await deliver(world, load.book, entry, 0);

    await untilTold(world, '/health/processing', (status) => status === 503);
    note('stalled');
    await untilTold(world, '/health/ready', (status) => status === 200);
    await untilTold(world, '/metrics', (_status, text) => {
      const ageSeconds = gaugeOf(text, 'registry_queue_oldest_age_seconds');
      return ageSeconds > AGE_MAX_SECONDS && gaugeOf(text, 'registry_queue_depth') === KNOWN;
    });
    await requireRefused(round);
    for (const entry of known) {
      const { status, error } = await submit(world.client('alpha'), entry, 0);
      if (status !== 409) load.book.flaws.push(`what is known was answered ${error?.code}`);
    }

    await Promise.all([world.startWorker(), world.startWorker()]);
    await untilSettled(world);
    await untilTold(world, '/health/processing', (status) => status === 200);
    const welcome = newEntry();
    load.book.entries.push(welcome);
    await sleep(AGE_MAX_SECONDS * 1_000);
    await deliver(world, load.book, welcome, 10);
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
    load.book.flaws.push(
      `new work was answered ${status}, Retry-After ${retryAfterSeconds}, ${recorded} recorded`,
    );
  }
}

/** Above the failures after which a transmission is parked. */
const FAILURES = 99;

/** One that no worker can open is parked, told by the metrics, and goes on when it is mended and sent again. */
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
    load.book.entries.push(entry);
    await deliver(world, load.book, entry, 0);
    const where = { transmissionReference: entry.reference ?? '' };
    const { bodySealed } = await world.db.transmission.findUniqueOrThrow({ where });
    const spoilt = { bodySealed: new Uint8Array([1]), failures: FAILURES };
    await world.db.transmission.update({ where, data: spoilt });
    for (const worker of world.workers) worker.signal('SIGCONT');
    await untilTold(world, '/metrics', (_status, text) => {
      return gaugeOf(text, 'registry_transmissions_parked') === 1;
    });
    note('parked');
    const mended = { bodySealed, failures: 0, parkedAt: null, sweepAt: new Date(0) };
    await world.db.transmission.update({ where, data: mended });
    await untilTold(world, '/metrics', (_status, text) => {
      return gaugeOf(text, 'registry_transmissions_parked') === 0;
    });
  },
};

const BURST = { short: 300, full: 1_500 };
const SENDERS = 48;

/** Every 202 of a burst says when to ask; the rows say when it would have been worth it. */
const retryAfterHonesty: Scenario = {
  name: 'retry-after-honesty',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 2 },
  certificates: 10,
  strike: async ({ world, load, isFull, note }) => {
    await load.done;
    await untilSettled(world);
    const left = Array.from({ length: isFull ? BURST.full : BURST.short }, newEntry);
    load.book.entries.push(...left);
    const told: { reference: string; atMs: number; seconds: number }[] = [];
    const sending = left.values();
    const send = async (): Promise<void> => {
      for (const entry of sending) {
        const { status, data, retryAfterSeconds } = await submit(world.client('alpha'), entry, 0);
        if (status !== 202 || data === null || retryAfterSeconds === null) {
          load.book.flaws.push(`it was answered ${status}, Retry-After ${retryAfterSeconds}`);
          continue;
        }
        entry.reference = data.transmissionReference;
        told.push({ reference: entry.reference, atMs: Date.now(), seconds: retryAfterSeconds });
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    await untilSettled(world);
    const rows = await world.db.transmission.findMany({
      where: { transmissionReference: { in: told.map(({ reference }) => reference) } },
      select: { transmissionReference: true, completedAt: true },
    });
    const doneMs = new Map(
      rows.map((row) => [row.transmissionReference, row.completedAt?.getTime() ?? Number.NaN]),
    );
    // A whole second is the least that can be said.
    const ratios = told
      .map(({ reference, atMs, seconds }) => {
        const tookSeconds = ((doneMs.get(reference) ?? Number.NaN) - atMs) / 1_000;
        return seconds / Math.max(tookSeconds, 1);
      })
      .sort((one, other) => one - other);
    const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? 0).toFixed(2);
    note(
      `told ÷ took: median ${at(0.5)}, nine in ten ${at(0.9)}, one in ten ${at(0.1)}; of`,
      told.length,
    );
  },
};

function newEntry(): Entry {
  return { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
}

/** @throws {Error} with what was told last when it does not come to be */
async function untilTold(
  { healthUrl }: World,
  path: string,
  isIt: (status: number, text: string) => boolean,
): Promise<void> {
  const endsAt = Date.now() + TOLD_MS_MAX;
  for (;;) {
    const response = await fetch(`${healthUrl}${path}`);
    const text = await response.text();
    if (isIt(response.status, text)) return;
    if (Date.now() > endsAt) throw new Error(`${path} still says ${response.status}: ${text}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function gaugeOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}

export const BACKLOG: readonly Scenario[] = [backlogRefused, parkedAlarms, retryAfterHonesty];
