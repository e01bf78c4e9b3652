import { percentile } from '../load/load.ts';
import { GOALS, type Goal, WORKER_GROWTH_MAX, WORKER_MB_MAX } from './goals.ts';
import { isValid, type Measurement, ONE_TENANT } from './measurement.ts';

/** A line of the table of goals for one subject. */
export interface Result {
  readonly goal: string;
  readonly subject: string;
  /** The median of the valid rounds, or of all rounds when none is valid. */
  readonly value: number;
  readonly bound: Goal['bound'];
  readonly limit: number;
  readonly passed: boolean;
  readonly validRounds: number;
  readonly rounds: number;
}

/** Goals whose scenarios did not run are left out. */
export function judgeGoals(
  measurements: readonly Measurement[],
  subjects: readonly string[],
): Result[] {
  return subjects.flatMap((subject) => [
    ...GOALS.flatMap((goal) => judge(goal, subject, measurements)),
    ...judgeMemory(subject, measurements),
  ]);
}

interface Ratio {
  readonly value: number;
  readonly isValid: boolean;
}

/** Each round gives one ratio, so that a machine that gets slower from round to round changes none of them. */
function judge(goal: Goal, subject: string, measurements: readonly Measurement[]): Result[] {
  const { name, figure, scenario, dividedBy, bound, value: limit } = goal;
  const find = (wanted: string, of: string, round: number) =>
    measurements.find(
      (one) => one.scenario === wanted && one.subject === of && one.round === round,
    );
  const ratios = measurements
    .filter((one) => one.scenario === scenario && one.subject === subject)
    .flatMap((one): Ratio[] => {
      const other = find(dividedBy.scenario, dividedBy.subject ?? subject, one.round);
      const [value, divisor] = [one.figures[figure], other?.figures[figure]];
      if (other === undefined || value === undefined || divisor === undefined) return [];
      return [{ value: value / divisor, isValid: isValid(one) && isValid(other) }];
    });
  return ratios.length === 0 ? [] : [resultOf({ goal: name, subject, bound, limit }, ratios)];
}

/** The largest worker of all scenarios, and how it grows in the one whose rounds share their processes. */
function judgeMemory(subject: string, measurements: readonly Measurement[]): Result[] {
  const own = measurements.filter((one) => one.subject === subject);
  const sizes = own.flatMap(({ figures: { workerMb } }) => workerMb ?? []);
  const repeated = own
    .filter(({ scenario }) => scenario === ONE_TENANT)
    .flatMap(({ figures: { workerMb } }) => workerMb ?? []);
  const [first] = repeated;
  const last = repeated.at(-1);
  const common = { subject, bound: 'at most' } as const;
  return [
    ...(sizes.length === 0
      ? []
      : [
          resultOf({ ...common, goal: 'worker memory, MB', limit: WORKER_MB_MAX }, [
            { value: Math.max(...sizes), isValid: true },
          ]),
        ]),
    ...(first === undefined || last === undefined || repeated.length < 2
      ? []
      : [
          resultOf(
            {
              ...common,
              goal: 'worker memory, last round ÷ first round',
              limit: WORKER_GROWTH_MAX,
            },
            [{ value: last / first, isValid: true }],
          ),
        ]),
  ];
}

function resultOf(
  common: Pick<Result, 'goal' | 'subject' | 'bound' | 'limit'>,
  ratios: readonly Ratio[],
): Result {
  const valid = ratios.filter((ratio) => ratio.isValid);
  const value = median((valid.length === 0 ? ratios : valid).map((ratio) => ratio.value));
  const passed = common.bound === 'at least' ? value >= common.limit : value <= common.limit;
  return { ...common, value, passed, validRounds: valid.length, rounds: ratios.length };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}
