import type { Shape } from '../env/shape.ts';
import type { Load } from './load.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** One round of one scenario: a load runs, and what is broken must be whole again before `strike` ends. */
export interface Round {
  readonly world: World;
  readonly random: Random;
  readonly load: Load;
  /** From 0. */
  readonly index: number;
  readonly isFull: boolean;
  /** How often this round strikes; 1 where the scenario says nothing. */
  readonly strikes: number;
  /** As asked for by `--minutes`. */
  readonly minutes: number;
  /** Shown in the line of the scenario: what was really hit. */
  note(what: string, count?: number): void;
}

export interface Scenario {
  /** As in `--scenario`. */
  readonly name: string;
  readonly shapes: readonly Shape[];
  /** The shapes in which the short form has a round, and the rounds of the full form in each shape. */
  readonly rounds: { readonly short: readonly Shape[]; readonly full: number };
  /**
   * Strikes of one round, where one load is enough for several: rounds × strikes × shapes is what the full form comes
   * to.
   */
  readonly strikes?: { readonly short: number; readonly full: number };
  /** Runs only when it is asked for by name. */
  readonly isOptional?: true;
  /** The database has a disk of its own of this size, in a world of its own. */
  readonly diskMegabytes?: number;
  /** Certificates of one round, beside their amendments and cancellations. */
  readonly certificates?: number;
  /** Errors of the service, and transactions that stand idle, which the fault itself brings about. */
  readonly brings?: { readonly serverErrors?: true; readonly idleTransactions?: true };
  /** How long one round may take, milliseconds; the runner's own limit unless given. */
  readonly roundMsMax?: (minutes: number) => number;
  /** By when all is terminal after the load; the oracle's own unless given. */
  readonly deadlineMs?: number;
  /** A control: the oracle must find a flaw that matches. */
  readonly mustFind?: RegExp;
  /** Needs a world that nothing else uses after. */
  readonly spoilsWorld?: true;
  readonly strike: (round: Round) => Promise<void>;
}

export const BOTH: readonly Shape[] = ['embedded', 'redis'];

/** The first strike comes when so much of the load is taken over, the last one when LAST_SHARE is. */
const FIRST_SHARE = 0.1;
const LAST_SHARE = 0.8;

/** Strikes as often as the round should, evenly over its load. */
export async function inTurn(round: Round, strike: (round: Round) => Promise<void>): Promise<void> {
  const { load, strikes } = round;
  for (let done = 0; done < strikes; done += 1) {
    await load.until(FIRST_SHARE + ((LAST_SHARE - FIRST_SHARE) * done) / strikes);
    await strike(round);
  }
}
