import { makeRandom, type Random } from '../faults/random.ts';
import { percentile } from './measure/statistics.ts';
import type { Summary } from './report/summary.ts';

/** Servers of one kind, each doing one piece of work at a time, in the order of arrival. */
interface Station {
  readonly name: string;
  readonly servers: number;
}

/** What a registration does one after the other: microseconds of CPU at a station. */
interface Step {
  readonly station: number;
  readonly microseconds: number;
}

interface Simulated {
  readonly perSecond: number;
  readonly stations: readonly Station[];
  /** From the arrival to the end of the last step. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the time of the servers, by station. */
  readonly busy: readonly number[];
}

const MULTIPLES = [1, 5, 20, 100] as const;
const ARRIVALS = 200_000;
/** Until the queues have the length that they keep. */
const ARRIVALS_LEFT_OUT = 20_000;
const DRAWS = 2 ** 32;
/** Of the CPU of PostgreSQL: recording; the rest is taking, reading and settling. */
const RECORDING_SHARE = 0.35;

/**
 * Registrations that arrive at random, at multiples of the rate at which a cell was measured, with as many servers of each
 * kind as keep them busy to `load`. What a step takes is random too, with the measured mean. It knows CPU alone: no
 * network, no disk, no lock, and no batch that waits to fill.
 */
export function simulateGrowth(
  { cells }: Pick<Summary, 'cells'>,
  {
    cell: name,
    load,
    seed,
  }: { readonly cell: string; readonly load: number; readonly seed: number },
): Simulated[] {
  const cell = cells.find((one) => one.name === name);
  if (cell === undefined) throw new Error(`the results have no cell ${name}`);
  const cpu = (role: string) => cell.cpuPerItem[role]?.median ?? 0;
  const shares = [
    { name: 'api', microseconds: cpu('api') },
    { name: 'worker', microseconds: cpu('worker') },
    { name: 'postgres', microseconds: cpu('postgres') },
    { name: 'redis', microseconds: cpu('redis') },
  ].filter(({ microseconds }) => microseconds > 0);
  const at = (wanted: string) => shares.findIndex((one) => one.name === wanted);
  const steps = [
    { station: at('api'), microseconds: cpu('api') },
    { station: at('postgres'), microseconds: cpu('postgres') * RECORDING_SHARE },
    { station: at('redis'), microseconds: cpu('redis') },
    { station: at('worker'), microseconds: cpu('worker') },
    { station: at('postgres'), microseconds: cpu('postgres') * (1 - RECORDING_SHARE) },
  ].filter(({ station }) => station !== -1);
  return MULTIPLES.map((multiple) => {
    const perSecond = cell.perSecond.median * multiple;
    const stations = shares.map((share) => ({
      name: share.name,
      servers: Math.ceil((perSecond * share.microseconds) / 1e6 / load),
    }));
    return simulate(stations, steps, perSecond, makeRandom(seed));
  });
}

interface Event {
  readonly atUs: number;
  readonly arrivedUs: number;
  readonly step: number;
}

/**
 * Every event is one that becomes due at a station; those of all stations are taken in the order of time, so that each
 * station serves in the order of arrival.
 */
function simulate(
  stations: readonly Station[],
  steps: readonly Step[],
  perSecond: number,
  random: Random,
): Simulated {
  const free = stations.map(({ servers }) => new Float64Array(servers));
  const worked = stations.map(() => 0);
  const due = makeQueue();
  const tookMs: number[] = [];
  const exponential = (mean: number) => -Math.log(1 - random.below(DRAWS) / DRAWS) * mean;
  let arrivals = 0;
  let clockUs = 0;
  let endUs = 0;
  const arrive = (): void => {
    clockUs += exponential(1e6 / perSecond);
    arrivals += 1;
    due.add({ atUs: clockUs, arrivedUs: clockUs, step: 0 });
  };
  arrive();
  for (let event = due.take(); event !== undefined; event = due.take()) {
    const { atUs, arrivedUs, step: index } = event;
    if (index === 0 && arrivals < ARRIVALS) arrive();
    const step = steps[index];
    if (step === undefined) {
      tookMs.push((atUs - arrivedUs) / 1_000);
      continue;
    }
    const servers = free[step.station] ?? new Float64Array(1);
    let first = 0;
    for (let server = 1; server < servers.length; server += 1) {
      if ((servers[server] ?? 0) < (servers[first] ?? 0)) first = server;
    }
    const work = exponential(step.microseconds);
    const doneUs = Math.max(atUs, servers[first] ?? 0) + work;
    servers[first] = doneUs;
    worked[step.station] = (worked[step.station] ?? 0) + work;
    endUs = Math.max(endUs, doneUs);
    due.add({ atUs: doneUs, arrivedUs, step: index + 1 });
  }
  const settled = tookMs.slice(ARRIVALS_LEFT_OUT);
  return {
    perSecond,
    stations,
    p50Ms: percentile(settled, 50),
    p99Ms: percentile(settled, 99),
    busy: stations.map(({ servers }, index) => (worked[index] ?? 0) / (servers * endUs)),
  };
}

/** A heap, the earliest first. */
function makeQueue() {
  const events: Event[] = [];
  const isBefore = (one: number, other: number) =>
    (events[one]?.atUs ?? Number.POSITIVE_INFINITY) <
    (events[other]?.atUs ?? Number.POSITIVE_INFINITY);
  const swap = (one: number, other: number): void => {
    const [first, second] = [events[one], events[other]];
    if (first === undefined || second === undefined) return;
    events[one] = second;
    events[other] = first;
  };
  return {
    add: (event: Event): void => {
      let at = events.push(event) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    take: (): Event | undefined => {
      swap(0, events.length - 1);
      const taken = events.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = isBefore(left + 1, left) ? left + 1 : left;
        if (!isBefore(child, at)) return taken;
        swap(at, child);
        at = child;
      }
    },
  };
}

/** As a table of Markdown. */
export function describeGrowth(simulated: readonly Simulated[]): string {
  return [
    '| registrations per second | servers (busy) | p50 ms | p99 ms |',
    '| ---: | --- | ---: | ---: |',
    ...simulated.map(({ perSecond, stations, busy, p50Ms, p99Ms }) => {
      const servers = stations.map(
        ({ name, servers: count }, index) =>
          `${name} ${count} (${((busy[index] ?? 0) * 100).toFixed(0)} %)`,
      );
      return `| ${perSecond.toFixed(0)} | ${servers.join(', ')} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} |`;
    }),
  ].join('\n');
}
