import { makeSample } from '../measure/make-sample.ts';
import { DRIFT_MAX, type Round } from '../rounds.ts';
import { GOALS, type RatioResult, readRatios } from './ratios.ts';
import type { MeasurementSummary, Summary } from './summary.ts';

const COMPARED = new Set(GOALS.flatMap(({ name, to }) => (to === undefined ? [] : [name])));

/**
 * The ratios over the rounds of several runs, as if they were one: of rates and CPU, which is what a results.json tells of every
 * measurement. Throws where it doesn't tell one round from another.
 */
export function readTogether(runs: readonly Summary[]): RatioResult[] {
  const cores = Math.min(...runs.map(({ machine }) => machine.cores));
  return comparedOver(runs.flatMap(roundsOf), cores);
}

function comparedOver(rounds: readonly Round[], cores: number): RatioResult[] {
  return readRatios(rounds, DRIFT_MAX, cores).filter(
    ({ name, ratio }) => COMPARED.has(name) && ratio !== undefined,
  );
}

/** A cell that comes again is of the next round. */
function roundsOf({ machine, measurements, ratios }: Summary): Round[] {
  const groups: MeasurementSummary[][] = [];
  for (const measurement of measurements) {
    const last = groups.at(-1);
    if (last === undefined || last.some(({ cell }) => cell === measurement.cell))
      groups.push([measurement]);
    else last.push(measurement);
  }
  const rounds = groups.map(roundOf);
  const toldOf = new Map(
    ratios.map(({ name, roundsKept, roundsRun }) => [name, { roundsKept, roundsRun }]),
  );
  for (const { name, roundsKept, roundsRun } of comparedOver(rounds, machine.cores)) {
    const told = toldOf.get(name);
    if (told?.roundsKept !== roundsKept || told.roundsRun !== roundsRun)
      throw new Error(
        `${name}: ${roundsKept} of ${roundsRun} rounds count by the measurements, ${told?.roundsKept} of ${told?.roundsRun} by the run's own table`,
      );
  }
  return rounds;
}

function roundOf(measurements: readonly MeasurementSummary[]): Round {
  return {
    block: '',
    looks: new Map(measurements.map(({ cell, control }) => [cell, control])),
    samples: new Map(
      measurements.map(({ cell, perSecond, cpuPerItem }) => [
        cell,
        makeSample({ perSecond, cpuPerItem }),
      ]),
    ),
    faults: [],
  };
}
