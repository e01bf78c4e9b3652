/** How the requests of a sequence are sent, with the test file of each mode and its share of all sequences. */
export const MODES = {
  /** One request at a time: the rules predict each answer. */
  sequential: { file: 'sequential', share: 0.65 },
  /** Two to four concurrent requests: some serial order must explain all answers. */
  concurrent: { file: 'concurrent', share: 0.2 },
  /** A dry run precedes each transmission: both answers must agree (D38). */
  dryRun: { file: 'dry-run', share: 0.15 },
} as const;
export type Mode = keyof typeof MODES;

/** Sequences of `npm run test:all`, over all modes and both shapes. `.ci/run` runs ten times as many with `npm run model`. */
const SEQUENCES_DEFAULT = 200;
const SHAPES = 2;
const SEED_DEFAULT = 20_261_120;

/** Passes the plan of `npm run model` to the test files. */
export const PLAN_VARIABLE = 'MODEL_PLAN';

/** The plan of a run of several test files. */
export interface Plan {
  /** Per test file. */
  readonly sequences: Readonly<Record<Mode, number>>;
  readonly seed: number;
  /** Runs only this sequence of the seed. */
  readonly path?: string;
}

export interface FilePlan {
  readonly sequences: number;
  readonly seed: number;
  readonly path: string | undefined;
}

/**
 * The plan of a test file, from the environment or the default. `npm run test:all` runs the same sequences each time;
 * `npm run model` draws new ones.
 */
export function readPlan(mode: Mode): FilePlan {
  const text = process.env[PLAN_VARIABLE];
  const plan: Plan =
    text === undefined
      ? {
          sequences: distribute(SEQUENCES_DEFAULT, Object.keys(MODES) as Mode[], SHAPES),
          seed: SEED_DEFAULT,
        }
      : (JSON.parse(text) as Plan);
  const { seed, path } = plan;
  return { sequences: plan.sequences[mode], seed, path };
}

/** Distributes sequences over the files of these modes and the shapes. */
export function distribute(
  total: number,
  modes: readonly Mode[],
  shapes: number,
): Record<Mode, number> {
  const whole = modes.reduce((sum, mode) => sum + MODES[mode].share, 0);
  const ofFile = (mode: Mode) =>
    modes.includes(mode) ? Math.ceil((total * MODES[mode].share) / whole / shapes) : 0;
  return {
    sequential: ofFile('sequential'),
    concurrent: ofFile('concurrent'),
    dryRun: ofFile('dryRun'),
  };
}
