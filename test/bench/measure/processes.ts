import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from './statistics.ts';

/** A process, or a server with all its children, under the name that the report gives it. */
export interface Watched {
  readonly role: string;
  readonly pid: number;
  /** Counts what its children use too, also those that ended. */
  readonly withChildren: boolean;
}

export interface ProcessUsage {
  readonly cpuMicroseconds: number;
  /**
   * Of the largest process of the role its resident set; of a server with all its children the proportional sets where
   * they can be read, so that shared memory counts once.
   */
  readonly memoryBytes: number;
}

/** By role; the CPU of several processes is added up. Empty where there is no /proc. */
export type Usage = ReadonlyMap<string, ProcessUsage>;

export function readUsage(watched: readonly Watched[]): Usage {
  const usage = new Map<string, ProcessUsage>();
  if (process.platform !== 'linux') return usage;
  for (const { role, pid, withChildren } of watched) {
    const pids = withChildren ? [pid, ...childrenOf(pid)] : [pid];
    const known = usage.get(role) ?? { cpuMicroseconds: 0, memoryBytes: 0 };
    usage.set(role, {
      cpuMicroseconds:
        known.cpuMicroseconds +
        pids.reduce((sum, one) => sum + cpuMicrosecondsOf(one, one === pid && withChildren), 0),
      memoryBytes: Math.max(
        known.memoryBytes,
        pids.reduce((sum, one) => sum + memoryBytesOf(one, withChildren), 0),
      ),
    });
  }
  return usage;
}

const QUIET_LOOK_MS = 200;
const QUIET_SHARE = 0.05;
const QUIET_MS_MAX = 5_000;

/** Resolves when processes that were just started have done what a start is, or after some seconds. */
export async function untilQuiet(watched: readonly Watched[]): Promise<void> {
  const endsAt = performance.now() + QUIET_MS_MAX;
  let before = cpuOf(watched);
  while (performance.now() < endsAt) {
    await sleep(QUIET_LOOK_MS);
    const now = cpuOf(watched);
    if (now - before <= QUIET_SHARE * QUIET_LOOK_MS * 1_000) return;
    before = now;
  }
}

function cpuOf(watched: readonly Watched[]): number {
  return [...readUsage(watched).values()].reduce((sum, one) => sum + one.cpuMicroseconds, 0);
}

/** Who started a process. Undefined when it is gone. */
export function parentOf(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields === undefined ? undefined : Number(fields[1]);
}

const TICKS_PER_SECOND =
  process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK']).toString()) : 100;

function cpuMicrosecondsOf(pid: number, withEndedChildren: boolean): number {
  const fields = statOf(pid) ?? [];
  // utime, stime, cutime, cstime
  const ticks = fields.slice(11, withEndedChildren ? 15 : 13).map(Number);
  return (sumOf(ticks) * 1_000_000) / TICKS_PER_SECOND;
}

/** The fields after the name, from the state on. */
function statOf(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function memoryBytesOf(pid: number, isShared: boolean): number {
  const pss = isShared
    ? /^Pss: +(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1]
    : undefined;
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(pss ?? rss ?? 0) * 1_024;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
