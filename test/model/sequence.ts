import { isDeepStrictEqual } from 'node:util';
import type { AsyncCommand } from 'fast-check';
import type { Situation } from './bodies.ts';
import { manilaDate, untilMidnightMs } from './calendar.ts';
import { digest } from './digest.ts';
import { findDifference, findProblems } from './invariants.ts';
import { type Answered, type Circumstances, explain } from './possible-states.ts';
import { makeReferences, type References } from './references.ts';
import type { Registry } from './registry/registry.ts';
import type { Pass, RequestSpec } from './request-specs.ts';
import { resolve } from './resolve.ts';
import type { Request, SubmittingRequest } from './rules/reading/request.ts';
import { copyOf, emptyState, type ModelState } from './rules/state.ts';
import { step } from './rules/step.ts';

/** The state of the model during a sequence. */
export interface Sequence {
  readonly space: string;
  readonly start: Date;
  now: Date;
  /** The possible states of the registry. There are several only after concurrent requests. */
  states: ModelState[];
  readonly submitted: SubmittingRequest[];
  readonly references: References;
  specs: number;
  /** The requests so far, for the report of a failure. */
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
    specs: 0,
    log: [],
  };
}

/** Sends the requests of the specifications at once and compares the answers with the rules. */
export function makeRequests(specs: readonly RequestSpec[]): SequenceCommand {
  return {
    check: (sequence) => requestsOf(specs, sequence).length > 0,
    run: async (sequence, registry) => {
      const requests = requestsOf(specs, sequence);
      sequence.specs += specs.length;
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
    toString: () => JSON.stringify(specs),
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

/** Checks the invariants of the tables after a sequence. */
export async function checkStored(sequence: Sequence, { db }: Registry): Promise<void> {
  const { space, states, references } = sequence;
  const problems = await findProblems(db, space);
  const difference = await findDifference(db, space, states, references);
  if (problems.length > 0 || difference !== undefined)
    throw new Error([...sequence.log, ...problems, difference ?? ''].join('\n'));
}

function requestsOf(specs: readonly RequestSpec[], sequence: Sequence): Request[] {
  const [state] = sequence.states;
  if (state === undefined) throw new Error('no state is possible');
  const submitted = [...sequence.submitted];
  return specs.flatMap((spec, index) => {
    const { space, start, now } = sequence;
    const situation: Situation = {
      space,
      start,
      now,
      state,
      submitted,
      spec: sequence.specs + index,
    };
    const request = resolve(spec, situation);
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
  const expected = answered.map(({ request }) => step(state, request, circumstances));
  const lines = answered.map(({ answer }, index) =>
    isDeepStrictEqual(answer, expected[index])
      ? `as expected in this order: ${JSON.stringify(answer)}`
      : `answered: ${JSON.stringify(answer)}\nforetold: ${JSON.stringify(expected[index])}`,
  );
  return [...sequence.log, 'THE RULES SAY OTHERWISE', ...lines].join('\n');
}
