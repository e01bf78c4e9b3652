import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLoad } from '../load.ts';
import { BOTH, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';

const CERTIFICATES = 60;
const BETWEEN_LOADS_MS = 1_000;
const MINUTE_MS = 60_000;
/** Time for the oracle after the soak. */
const JUDGED_MS_MAX = 10 * MINUTE_MS;
/** Limit of growth from the second quarter, when the processes are warm, to the last one. */
const GROWTH_MAX = 1.1;
const GROWTH_MEGABYTES_MIN = 10;
const SAMPLES_MIN = 8;

/** Runs loads for `--minutes`; the memory of no process may grow. */
export const SOAK: Scenario = {
  name: 'soak',
  shapes: BOTH,
  rounds: { short: [], full: 1 },
  isOptional: true,
  certificates: CERTIFICATES,
  roundMsMax: ({ minutes }) => minutes * MINUTE_MS + JUDGED_MS_MAX,
  strike: async ({ world, random, load, minutes, note }) => {
    const endsAt = Date.now() + minutes * MINUTE_MS;
    const processes = [world.api, ...world.workers];
    const samples = new Map(processes.map(({ pid }) => [pid, [] as number[]]));
    await load.done;
    do {
      const next = startLoad(world, random, CERTIFICATES);
      await next.done;
      load.report.entries.push(...next.report.entries);
      load.report.problems.push(...next.report.problems);
      note('loads');
      for (const [pid, megabytes] of await readMegabytes(processes)) {
        samples.get(pid)?.push(megabytes);
      }
      await sleep(BETWEEN_LOADS_MS);
    } while (Date.now() < endsAt);
    for (const { role, pid } of processes) {
      const problem = growthOf(samples.get(pid) ?? [], (words) => note(`${role} ${words}`));
      if (problem !== undefined) load.report.problems.push(`${role}: ${problem}`);
    }
  },
};

function growthOf(samples: readonly number[], print: (words: string) => void): string | undefined {
  if (samples.length < SAMPLES_MIN) return `${samples.length} samples show nothing`;
  const quarter = Math.floor(samples.length / 4);
  const before = median(samples.slice(quarter, 2 * quarter));
  const after = median(samples.slice(-quarter));
  print(`MB in the second quarter ${before}, in the last ${after}`);
  const isFlat = after <= Math.max(before * GROWTH_MAX, before + GROWTH_MEGABYTES_MIN);
  return isFlat ? undefined : `grew from ${before} to ${after} MB`;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

async function readMegabytes(
  processes: readonly RegistryProcess[],
): Promise<readonly (readonly [number, number])[]> {
  const pids = processes.map(({ pid }) => pid).join(',');
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,rss=', '-p', pids]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return [pid, Math.round(kilobytes / 1_024)] as const;
    });
}
