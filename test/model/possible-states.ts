import { isDeepStrictEqual } from 'node:util';
import type { Request, SubmittingRequest } from './rules/reading/request.ts';
import { type Answer, copyOf, type ModelState } from './rules/state.ts';
import { checkAccess, keyOf, type StepOptions, step } from './rules/step.ts';

export interface Answered {
  readonly request: Request;
  readonly answer: Answer;
}

/** The date and the order in which records were registered: references are assigned before the order of settlement is known. */
export type Circumstances = Required<Pick<StepOptions, 'today' | 'orderOf'>>;

/**
 * The possible states of the registry after these answers to concurrent requests: one state of the
 * rules for every serial order that explains all answers. Empty when no order does.
 */
export function explain(
  states: readonly ModelState[],
  answered: readonly Answered[],
  circumstances: Circumstances,
): ModelState[] {
  const found = new Map<string, ModelState>();
  for (const state of states) {
    for (const end of ends([state], answered, circumstances)) found.set(identity(end), end);
  }
  return [...found.values()];
}

/** `passed` are the states so far, in order. */
function ends(
  passed: readonly ModelState[],
  remaining: readonly Answered[],
  circumstances: Circumstances,
): ModelState[] {
  const latest = passed.at(-1);
  if (latest === undefined || remaining.length === 0) return latest === undefined ? [] : [latest];
  return remaining.flatMap((next) => {
    const others = remaining.filter((one) => one !== next);
    for (const { answer, state } of outcomes(passed, next.request, others, circumstances)) {
      if (isDeepStrictEqual(answer, next.answer))
        return ends([...passed, state], others, circumstances);
    }
    return [];
  });
}

interface Outcome {
  readonly answer: Answer;
  readonly state: ModelState;
}

/**
 * The possible outcomes of a request that is decided now, the usual one first. Access to the record was
 * checked on receipt, which may have been before some of the others were decided. A rejection may collect its
 * findings from reads at two such moments. Another request with the same id may be in progress.
 */
function* outcomes(
  passed: readonly ModelState[],
  request: Request,
  others: readonly Answered[],
  circumstances: Circumstances,
): Generator<Outcome> {
  const latest = passed.at(-1);
  if (latest === undefined) return;
  const after = (options: Partial<StepOptions> = {}): Outcome => {
    const state = copyOf(latest);
    return { answer: step(state, request, { ...circumstances, ...options }), state };
  };
  yield after();
  if (!('body' in request)) return;
  const earlier = passed.slice(0, -1);
  const gates = earlier.map((state) => checkAccess(state, request));
  const isAdmitted = gates.includes(undefined);
  if (isAdmitted) yield after({ isAdmitted });
  for (const answer of gates) if (answer !== undefined) yield { answer, state: latest };
  for (const answer of inProgressAnswers(passed, request, others)) yield { answer, state: latest };
  if (request.op === 'cancel') return;
  for (const before of earlier) {
    for (const readStates of [
      { atFacts: before, atCovers: latest },
      { atFacts: latest, atCovers: before },
    ]) {
      const outcome = after({ isAdmitted, readStates });
      if (outcome.answer.status === 422) yield outcome;
    }
  }
}

/** The possible answers when another request with the same id is not yet settled (D5). */
function inProgressAnswers(
  passed: readonly ModelState[],
  request: SubmittingRequest,
  others: readonly Answered[],
): Answer[] {
  const key = keyOf(request);
  const [first] = passed;
  const isOf = (one: { readonly key: string }) => one.key === key;
  const isInProgress =
    others.some((other) => 'body' in other.request && keyOf(other.request) === key) ||
    (passed.at(-1)?.transmissions.some(isOf) === true && first?.transmissions.some(isOf) === false);
  const data = { transmission: key, status: 'IN_PROGRESS' };
  return isInProgress
    ? ['TRANSMISSION_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'].map((code) => ({
        status: 409,
        code,
        details: [],
        data,
      }))
    : [];
}

/** The same text for states that differ only in the order of unordered parts. */
function identity(state: ModelState): string {
  const nameOf = state.vehicles.map(({ current, owned }) =>
    JSON.stringify([current, [...owned].sort()]),
  );
  const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  return JSON.stringify([
    [...nameOf].sort(),
    sorted(
      Object.entries(state.owners).map(([name, owners]) => [
        name,
        owners.map((one) => nameOf[one]),
      ]),
    ),
    sorted(Object.entries(state.policies)),
    sorted(
      state.records.map((record) => ({
        ...record,
        entries: record.entries.map((entry) => ({
          ...entry,
          canonical: nameOf[entry.canonical],
          held: [...entry.held].sort(),
        })),
        flags: sorted(record.flags.map((flag) => ({ ...flag, canonical: nameOf[flag.canonical] }))),
      })),
    ),
    sorted(state.transmissions),
  ]);
}
