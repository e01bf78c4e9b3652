/** How the requests of a sequence come, the test file of each way, and its share of all sequences. */
export const WAYS = {
  /** Each answer is foretold. */
  sequential: { file: 'one-after-another', share: 0.75 },
  /** Two to four at once: some order of them explains all answers. */
  simultaneous: { file: 'at-once', share: 0.25 },
} as const;
export type Way = keyof typeof WAYS;

/** Sequences of `npm test`, over both ways and both shapes; `.ci/run` plays ten times as many by `npm run model`. */
const SEQUENCES_DEFAULT = 200;
const SHAPES = 2;
const SEED_DEFAULT = 20_261_120;

/** Carries the plan of `npm run model` to the test files. */
export const PLAN_VARIABLE = 'MODEL_PLAN';

/** What a run of several test files does. */
export interface Plan {
  /** Of one file. */
  readonly sequences: Readonly<Record<Way, number>>;
  readonly seed: number;
  /** Plays the one sequence of the seed alone. */
  readonly path?: string;
}

export interface FilePlan {
  readonly sequences: number;
  readonly seed: number;
  readonly path: string | undefined;
}

/**
 * The plan of one test file, by the environment or the default. `npm test` plays the same sequences each time;
 * `npm run model` looks for new ones.
 */
export function readPlan(way: Way): FilePlan {
  const text = process.env[PLAN_VARIABLE];
  const plan: Plan =
    text === undefined
      ? {
          sequences: shareOut(SEQUENCES_DEFAULT, ['sequential', 'simultaneous'], SHAPES),
          seed: SEED_DEFAULT,
        }
      : (JSON.parse(text) as Plan);
  const { seed, path } = plan;
  return { sequences: plan.sequences[way], seed, path };
}

/** The sequences of each file when so many go to these ways in so many shapes. */
export function shareOut(total: number, ways: readonly Way[], shapes: number): Record<Way, number> {
  const whole = ways.reduce((sum, way) => sum + WAYS[way].share, 0);
  const ofFile = (way: Way) =>
    ways.includes(way) ? Math.ceil((total * WAYS[way].share) / whole / shapes) : 0;
  return { sequential: ofFile('sequential'), simultaneous: ofFile('simultaneous') };
}
