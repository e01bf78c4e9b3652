import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { answerOf, type Entry, submit } from '../round-report.ts';
import { type Round, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { World } from '../world.ts';

const DISK_MEGABYTES = 400;
const FULL_MS = 4_000;
const REFUSED_MS_MAX = 60_000;
/** A transmission with this many vehicles writes enough to fill the disk. */
const VEHICLES = 40;

/**
 * The disk of the embedded database is full for a while. A transmission that cannot be recorded is answered with INTERNAL_ERROR;
 * every acknowledged transmission is stored and is settled when there is space again.
 */
export const DISK_FULL: Scenario = {
  name: 'disk-full',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 5 },
  diskMegabytes: DISK_MEGABYTES,
  certificates: 150,
  allows: { serverErrors: true, idleTransactions: true },
  deadlineMs: 90_000,
  strike: (round) =>
    strikeRepeatedly(round, async ({ world, note }) => {
      const { disk } = world;
      if (disk === undefined) throw new Error('this world has no separate disk');
      disk.fill();
      try {
        note('refused', await untilRefused(round));
        await sleep(FULL_MS);
      } finally {
        disk.free();
      }
      if (!(await isServed(world))) {
        note('the server had ended');
        await world.postgres.start();
      }
    }),
};

/** Sends until a transmission is refused, because only then is the disk full. */
async function untilRefused({ world, load }: Round): Promise<number> {
  const endsAt = Date.now() + REFUSED_MS_MAX;
  while (Date.now() < endsAt) {
    const vehicles = Array.from({ length: VEHICLES }, () => makeBody().vehicles).flat();
    const entry: Entry = {
      clientName: 'alpha',
      submission: { kind: 'CREATE', body: makeBody({ vehicles }) },
    };
    const outcome = await answerOf(() => submit(world.client('alpha'), entry, 0));
    if (outcome === undefined || outcome.error?.code === 'INTERNAL_ERROR') return 1;
    if (outcome.data === null) {
      load.report.problems.push(`it was answered ${outcome.status} ${outcome.error?.code}`);
      continue;
    }
    entry.reference = outcome.data.transmissionReference;
    load.report.entries.push(entry);
  }
  throw new Error('the disk was full and nothing was refused');
}

async function isServed({ db }: World): Promise<boolean> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      await db.$queryRaw`SELECT 1 AS one`;
      return true;
    } catch {
      await sleep(500);
    }
  }
  return false;
}
