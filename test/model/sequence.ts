import { isDeepStrictEqual } from 'node:util';
import type { AsyncCommand } from 'fast-check';
import type { Situation } from './bodies.ts';
import { manilaDate, untilMidnightMs } from './calendar.ts';
import type { Deed, Pass } from './deeds.ts';
import { digest } from './digest.ts';
import { findDifference, findFlaws } from './invariants.ts';
import { type Answered, type Circumstances, explain } from './possible-worlds.ts';
import { makeReferences, type References } from './references.ts';
import type { Registry } from './registry/registry.ts';
import { resolve } from './resolve.ts';
import type { Request, SubmittingRequest } from './rules/reading/request.ts';
import { copyOf, emptyState, type ModelState } from './rules/state.ts';
import { step } from './rules/step.ts';

/** What the model knows in the course of one sequence. */
export interface Sequence {
  readonly space: string;
  readonly start: Date;
  now: Date;
  /** The states that the registry may be in; one alone unless simultaneous requests left it open. */
  states: ModelState[];
  readonly submitted: SubmittingRequest[];
  readonly references: References;
  deeds: number;
  /** What was asked, for the report of a failure. */
  readonly log: string[];
}

export type SequenceCommand = AsyncCommand<Sequence, Registry>;

export function beginSequence(space: string, start: Date, registry: Registry): Sequence {
  registry.beginAt(start);
  return {
    space,
    start,
    now: start,
    states: [emptyState()],
    submitted: [],
    references: makeReferences(),
    deeds: 0,
    log: [],
  };
}

/** Sends what the deeds are now, at once, and holds the answers against the rules. */
export function makeDeeds(deeds: readonly Deed[]): SequenceCommand {
  return {
    check: (sequence) => requestsOf(deeds, sequence).length > 0,
    run: async (sequence, registry) => {
      const requests = requestsOf(deeds, sequence);
      sequence.deeds += deeds.length;
      const { references } = sequence;
      const answers = await Promise.all(
        requests.map((request) => registry.ask(request, references)),
      );
      const answered = requests.map((request, index): Answered => {
        const answer = answers[index];
        if (answer === undefined) throw new Error('a request without an answer');
        return { request, answer: digest(request, answer, references) };
      });
      for (const { request, answer } of answered)
        sequence.log.push(`${JSON.stringify(request)}\n    → ${JSON.stringify(answer)}`);
      const today = manilaDate(sequence.now);
      const circumstances = { today, orderOf: references.orderOf };
      const explained = explain(sequence.states, answered, circumstances);
      if (explained.length === 0) throw new Error(disagreement(sequence, answered, circumstances));
      sequence.states = explained;
      for (const request of requests) if ('body' in request) sequence.submitted.push(request);
    },
    toString: () => JSON.stringify(deeds),
  };
}

export function makePass(pass: Pass): SequenceCommand {
  return {
    check: () => true,
    run: async (sequence, registry) => {
      registry.clock.advance(lengthMs(pass, sequence.now));
      sequence.now = registry.clock.now();
      sequence.log.push(`it is ${sequence.now.toISOString()}`);
    },
    toString: () => pass,
  };
}

/** What must hold of the registry's tables after a sequence, whatever it was. */
export async function checkStored(sequence: Sequence, { db }: Registry): Promise<void> {
  const { space, states, references } = sequence;
  const flaws = await findFlaws(db, space);
  const difference = await findDifference(db, space, states, references);
  if (flaws.length > 0 || difference !== undefined)
    throw new Error([...sequence.log, ...flaws, difference ?? ''].join('\n'));
}

function requestsOf(deeds: readonly Deed[], sequence: Sequence): Request[] {
  const [state] = sequence.states;
  if (state === undefined) throw new Error('no state is possible');
  const submitted = [...sequence.submitted];
  return deeds.flatMap((deed, index) => {
    const { space, start, now } = sequence;
    const situation: Situation = {
      space,
      start,
      now,
      state,
      submitted,
      deed: sequence.deeds + index,
    };
    const request = resolve(deed, situation);
    if (request === undefined) return [];
    if ('body' in request) submitted.push(request);
    return request;
  });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function lengthMs(pass: Pass, now: Date): number {
  switch (pass) {
    case 'hour':
      return HOUR_MS;
    case 'midnight':
      return untilMidnightMs(now);
    case 'day':
      return DAY_MS;
    case 'tenDays':
      return 10 * DAY_MS;
    case 'month':
      return 30 * DAY_MS;
    case 'monthAndDay':
      return 31 * DAY_MS;
    default:
      return pass satisfies never;
  }
}

function disagreement(
  sequence: Sequence,
  answered: readonly Answered[],
  circumstances: Circumstances,
): string {
  const state = copyOf(sequence.states[0] ?? emptyState());
  const foretold = answered.map(({ request }) => step(state, request, circumstances));
  const lines = answered.map(({ answer }, index) =>
    isDeepStrictEqual(answer, foretold[index])
      ? `as foretold in this order: ${JSON.stringify(answer)}`
      : `answered: ${JSON.stringify(answer)}\nforetold: ${JSON.stringify(foretold[index])}`,
  );
  return [...sequence.log, 'THE RULES SAY OTHERWISE', ...lines].join('\n');
}
