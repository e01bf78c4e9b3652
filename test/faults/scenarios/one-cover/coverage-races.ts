import { isTerminal } from '../../../../shared/contract/enums.ts';
import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import { rejectionCode } from '../../../../shared/contract/machine/rejection.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type Entry, externalIdOf, follow, type RoundReport, submit } from '../../round-report.ts';
import { BOTH, type Round, type Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { makeContest, RACING_INSURERS, type Racer } from './coverage-races-contest.ts';
import {
  countDeadlocksSince,
  describeScore,
  makeScoreOf,
  readSettledMs,
  type Score,
} from './coverage-races-score.ts';

interface RaceSizes {
  readonly name: string;
  /** Bound on p99 from receipt to outcome. It is reported and never fails the scenario. */
  readonly boundMs: number;
  readonly fullRounds: number;
  readonly races: { readonly short: number; readonly full: number };
  /** Number of concurrent races. The last `alone` races of a round run alone, to measure a single race. */
  readonly atOnce: number;
  readonly alone: number;
  readonly run: (round: Round, score: Score, times: number[]) => Promise<void>;
}

const WAIT_SECONDS = 30;
const PRINT_EVERY_ROUNDS = 10;

/** Two to sixteen insurers at once, each with a certificate for the same vehicle and any of its identifiers. */
const coverageRaces = makeRaceScenario({
  name: 'coverage-races',
  boundMs: 500,
  fullRounds: 100,
  races: { short: 32, full: 50 },
  atOnce: 8,
  alone: 8,
  run: async ({ world, random, load, note }, score, times) => {
    const { earlier, racers, kind } = makeContest(random);
    for (const body of earlier) {
      const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body } };
      load.report.entries.push(entry);
      await send(world, load.report, entry);
    }
    note(kind);
    await race(world, load.report, racers, score, times);
  },
});

const FLEET = 500;

/** The largest certificates, of the same vehicles in opposite order, from two insurers at once. */
const oppositeOrder = makeRaceScenario({
  name: 'opposite-order',
  boundMs: 2_000,
  fullRounds: 10,
  races: { short: 3, full: 20 },
  atOnce: 1,
  alone: Infinity,
  run: async ({ world, random, load }, score, times) => {
    const fleet = Array.from({ length: FLEET }, () => makePlainVehicle());
    const from = random.below(RACING_INSURERS.length);
    const racers = [fleet, fleet.toReversed()].flatMap((vehicles, index): Racer[] => {
      const insurer = RACING_INSURERS[(from + index) % RACING_INSURERS.length];
      if (insurer === undefined) return [];
      const { clientName, name, code } = insurer;
      const body = makeBody({ issuingInsurerCode: code, vehicles });
      return [{ clientName, insurerName: name, body, place: 0 }];
    });
    await race(world, load.report, racers, score, times);
  },
});

export const COVERAGE_RACES: readonly Scenario[] = [coverageRaces, oppositeOrder];

function makeRaceScenario(sizes: RaceSizes): Scenario {
  const { name, fullRounds, races, atOnce, alone, run } = sizes;
  const scoreOf = makeScoreOf();
  return {
    name,
    shapes: BOTH,
    rounds: { short: BOTH, full: fullRounds },
    certificates: 4,
    strike: async (round) => {
      const { world, load, index, isFull, note } = round;
      for (const { clientName } of RACING_INSURERS) {
        if (clientName.startsWith('insurer-'))
          await world.addInsurer(clientName as `insurer-${string}`);
      }
      // After the load, so that only the races are measured.
      await load.done;
      const score = await scoreOf(world);
      const count = races[isFull ? 'full' : 'short'];
      const runMany = async (many: number, lanes: number, times: number[]): Promise<void> => {
        let left = many;
        const runOn = async (): Promise<void> => {
          while (left > 0 && load.report.problems.length === 0) {
            left -= 1;
            await run(round, score, times);
            note('races');
          }
        };
        await Promise.all(Array.from({ length: lanes }, runOn));
      };
      await runMany(Math.max(count - alone, 0), atOnce, score.crowdedMs);
      await runMany(Math.min(count, alone), 1, score.aloneMs);
      const isLast = index + 1 === (isFull ? fullRounds : 1);
      if (!isLast && (index + 1) % PRINT_EVERY_ROUNDS > 0) return;
      const deadlocks = await countDeadlocksSince(world, score, isLast);
      if (deadlocks > 0) load.report.problems.push(`${deadlocks} deadlocks`);
      process.stdout.write(describeScore(`${name} ${world.shape}`, score, deadlocks, sizes));
    },
  };
}

/** Sends all certificates at once. One is registered; the answers to the others name the insurer of the cover. */
async function race(
  world: World,
  report: RoundReport,
  racers: readonly Racer[],
  score: Score,
  times: number[],
): Promise<void> {
  const entries = racers.map(
    ({ clientName, body }): Entry => ({ clientName, submission: { kind: 'CREATE', body } }),
  );
  report.entries.push(...entries);
  await Promise.all(entries.map((entry) => send(world, report, entry)));
  times.push(...(await readSettledMs(world, entries)));
  const winners = entries.flatMap((entry, index) =>
    entry.settled?.status === 'ACCEPTED' ? [index] : [],
  );
  score.races += 1;
  score.winners += winners.length;
  const [first = -1] = winners;
  const winner = racers[first];
  const names = entries.map((entry) => `${externalIdOf(entry)} ${entry.settled?.status}`);
  if (winner === undefined || winners.length > 1) {
    report.problems.push(`${winners.length} winners of one race: ${names.join(', ')}`);
    return;
  }
  racers.forEach((racer, index) => {
    const { settled } = entries[index] ?? {};
    if (index === first || settled === undefined) return;
    report.problems.push(...findRefusalProblems(racer, settled, winner));
  });
}

/** One finding per shared vehicle, which reveals only the winner's insurer and last day (api.md). */
function findRefusalProblems(loser: Racer, settled: Acknowledgment, winner: Racer): string[] {
  const { status, errors, externalTransactionId } = settled;
  const isFleet = winner.body.vehicles.length === FLEET;
  const places = isFleet ? loser.body.vehicles.map((_, index) => index) : [loser.place];
  const expected = places.map((place) =>
    [
      'VEHICLE_ALREADY_INSURED',
      3,
      'ERROR',
      `vehicles[${place}].plateNumber`,
      `Already covered by ${winner.insurerName} until ${winner.body.certificate.expirationDate}.`,
    ].join(' '),
  );
  const found = errors.map(({ code, level, severity, field, message }) =>
    // The message ends with the matching identifiers of the loser, which are not compared.
    [code, level, severity, field, message.replace(/ Matched by .+$/, '')].join(' '),
  );
  const isTold =
    status === 'REJECTED' &&
    rejectionCode(errors) === 'VEHICLE_ALREADY_INSURED' &&
    found.join('\n') === expected.join('\n');
  return isTold
    ? []
    : [
        `${externalTransactionId} lost and was answered ${status}: ${found.slice(0, 3).join('; ')} instead of ${expected.slice(0, 3).join('; ')}`,
      ];
}

/** Sends once and waits for the outcome. No fault is injected here, so no retry is needed. */
async function send(world: World, report: RoundReport, entry: Entry): Promise<void> {
  const { status, data, error } = await submit(world.client(entry.clientName), entry, WAIT_SECONDS);
  if (data === null || !('disclaimer' in data)) {
    report.problems.push(`${externalIdOf(entry)} was answered ${status} ${error?.code}`);
    return;
  }
  entry.reference = data.transmissionReference;
  if (isTerminal(data.status)) {
    entry.settled = data;
    const isRight =
      data.status === 'REJECTED'
        ? status === 422 && error?.code === rejectionCode(data.errors)
        : status === 201;
    if (!isRight)
      report.problems.push(
        `${externalIdOf(entry)} is ${data.status}, answered ${status} ${error?.code}`,
      );
  } else if ((await follow(world, report, entry)) === undefined) {
    report.problems.push(`${externalIdOf(entry)} has no outcome`);
  }
}
