import type { Shape } from '../env/shape.ts';
import type { Load } from './load.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** One round of a scenario. A load runs, and `strike` must repair everything that it breaks before it ends. */
export interface Round {
  readonly world: World;
  readonly random: Random;
  readonly load: Load;
  /** Starts at 0. */
  readonly index: number;
  readonly isFull: boolean;
  /** Number of faults in this round. Default: 1. */
  readonly strikes: number;
  /** The value of `--minutes`. */
  readonly minutes: number;
  /** Number of certificates of the load, not counting amendments and cancellations. */
  readonly certificates: number;
  /** Aborted when the round ends, also when it ends because it takes too long. */
  readonly signal: AbortSignal;
  /** Counts an event for the scenario's line of output. */
  note(what: string, count?: number): void;
}

export interface Scenario {
  /** The name for `--scenario`. */
  readonly name: string;
  readonly shapes: readonly Shape[];
  /** The shapes in which the short form has a round, and the rounds of the full form in each shape. */
  readonly rounds: { readonly short: readonly Shape[]; readonly full: number };
  /**
   * Number of faults in a round, if one load is enough for several. The full form has rounds × strikes × shapes faults.
   */
  readonly strikes?: { readonly short: number; readonly full: number };
  /** Runs only when it is requested by name. */
  readonly isOptional?: true;
  /** Runs in a separate world whose database has its own disk of this size. */
  readonly diskMegabytes?: number;
  /** Number of certificates in a round, unless `--certificates` says otherwise. */
  readonly certificates?: number;
  /** The fault itself causes service errors or idle transactions, so they are no problem. */
  readonly allows?: { readonly serverErrors?: true; readonly idleTransactions?: true };
  /** Time limit for a round. Default: the runner's limit. */
  readonly roundMsMax?: (form: Pick<Round, 'minutes' | 'certificates'>) => number;
  /** Time limit after the load for all transmissions to become terminal. Default: the oracle's limit. */
  readonly deadlineMs?: number;
  /** Makes this a control scenario: the oracle must find a matching problem. */
  readonly mustFind?: RegExp;
  /** No other scenario can use the world afterwards. */
  readonly breaksWorld?: true;
  readonly strike: (round: Round) => Promise<void>;
}

export const BOTH: readonly Shape[] = ['embedded', 'redis'];

/** The first fault is injected when this share of the load is recorded, the last one before LAST_SHARE. */
const FIRST_SHARE = 0.1;
const LAST_SHARE = 0.8;

/** Injects the faults of a round, evenly distributed over its load. */
export async function strikeRepeatedly(
  round: Round,
  strike: (round: Round) => Promise<void>,
): Promise<void> {
  const { load, strikes } = round;
  for (let done = 0; done < strikes; done += 1) {
    await load.until(FIRST_SHARE + ((LAST_SHARE - FIRST_SHARE) * done) / strikes);
    await strike(round);
  }
}
