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
  /** Shown in the line of the scenario: what was really hit. */
  note(what: string, count?: number): void;
}

export interface Scenario {
  /** As in `--scenario`. */
  readonly name: string;
  readonly shapes: readonly Shape[];
  /** The shapes in which the short form has a round, and the rounds of the full form in each shape. */
  readonly rounds: { readonly short: readonly Shape[]; readonly full: number };
  /** Certificates of one round, beside their amendments and cancellations. */
  readonly certificates?: number;
  /** Errors of the service, and transactions that stand idle, which the fault itself brings about. */
  readonly brings?: { readonly serverErrors?: true; readonly idleTransactions?: true };
  /** By when all is terminal after the load; the oracle's own unless given. */
  readonly deadlineMs?: number;
  /** A control: the oracle must find a flaw that matches. */
  readonly mustFind?: RegExp;
  /** Needs a world that nothing else uses after. */
  readonly spoilsWorld?: true;
  readonly strike: (round: Round) => Promise<void>;
}

export const BOTH: readonly Shape[] = ['embedded', 'redis'];
