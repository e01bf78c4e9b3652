import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../load/load.ts';

// Reads CPU time and memory of processes from /proc, so the benchmark runs on Linux only.

/** A process under the name that the report gives it. */
export interface Watched {
  readonly role: string;
  readonly pid: number;
  /** Which of its child processes count with it. */
  readonly children: 'none' | 'ended' | 'all';
}

/** What a piece of work took of the machine. */
export interface Observed {
  readonly elapsedMs: number;
  /** CPU of the watched processes but for the one that makes the load. */
  readonly cpuMs: number;
  /** Largest resident memory of a worker; 0 without one. */
  readonly workerMb: number;
  /** Share of the machine that other programs, or other machines on its host, took. */
  readonly othersShare: number;
}

const MEMORY_LOOK_MS = 500;

/** Watches processes and the machine while `work` lasts. */
export async function observe(
  watched: readonly Watched[],
  work: Promise<unknown>,
): Promise<Observed> {
  const before = readUsage(watched);
  const workerMb = await watchMemory(watched, work);
  const after = readUsage(watched);
  const elapsedMs = after.atMs - before.atMs;
  const othersMs = after.machineMs - before.machineMs - (after.watchedMs - before.watchedMs);
  return {
    elapsedMs,
    cpuMs: after.measuredMs - before.measuredMs,
    workerMb,
    othersShare: Math.max(0, othersMs) / (elapsedMs * CORES),
  };
}

/** The rate of a load that is running, and its CPU for an item, within a window of time. */
export async function measureWindow(
  load: Load,
  watched: readonly Watched[],
  ms: number,
): Promise<Record<'perSecond' | 'cpuMsPerItem' | 'workerMb' | 'othersShare', number>> {
  const doneBefore = load.done();
  const { elapsedMs, cpuMs, ...others } = await observe(watched, load.during(ms));
  const items = load.done() - doneBefore;
  return { perSecond: (items * 1_000) / elapsedMs, cpuMsPerItem: cpuMs / items, ...others };
}

/** The largest size until `work` ends. */
async function watchMemory(watched: readonly Watched[], work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let largest = 0;
  while (!isOver) {
    largest = Math.max(largest, readMemoryMb(watched, 'worker'));
    await Promise.race([over, sleep(MEMORY_LOOK_MS)]);
  }
  await over;
  return largest;
}

function readUsage(watched: readonly Watched[]) {
  const cpuMs = readCpuMs(watched);
  const watchedMs = [...cpuMs.values()].reduce((sum, one) => sum + one, 0);
  return {
    atMs: performance.now(),
    machineMs: readMachineCpuMs(),
    watchedMs,
    measuredMs: watchedMs - (cpuMs.get('load') ?? 0),
  };
}

/** Milliseconds of CPU that the processes have used so far, by role. */
function readCpuMs(watched: readonly Watched[]): Map<string, number> {
  const used = new Map<string, number>();
  for (const { role, pid, children } of watched) {
    const own = cpuMsOf(pid, children !== 'none');
    const running = children === 'all' ? childrenOf(pid).map((child) => cpuMsOf(child, false)) : [];
    used.set(role, (used.get(role) ?? 0) + sum([own, ...running]));
  }
  return used;
}

/** Milliseconds of CPU that the whole machine has used so far, other machines on the same host included. */
function readMachineCpuMs(): number {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) * TICK_MS;
}

const CORES = cpus().length;

/** Resident memory of the largest process of the role. */
function readMemoryMb(watched: readonly Watched[], role: string): number {
  const sizes = watched
    .filter((one) => one.role === role)
    .map(({ pid }) => /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  return Math.max(0, ...sizes.map(Number)) / 1_024;
}

const TICK_MS = 1_000 / Number(execFileSync('getconf', ['CLK_TCK']).toString());

function cpuMsOf(pid: number, withEndedChildren: boolean): number {
  // After the name in brackets: state, parent, … utime, stime, cutime, cstime as fields 12 to 15.
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return sum(fields.slice(11, withEndedChildren ? 15 : 13).map(Number)) * TICK_MS;
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

/** Empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}
