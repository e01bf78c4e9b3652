/** A call and its result, with the times between which it must have taken effect. */
export interface Operation<Call, Result> {
  readonly call: Call;
  readonly from: number;
  /** Infinity when the outcome is unknown: it may take effect at any time after, or never. */
  readonly to: number;
  /** Undefined when the outcome is unknown. */
  readonly result: Result | undefined;
}

/** The sequential specification. States are immutable. */
export interface Rules<State, Call, Result> {
  readonly initial: State;
  step(state: State, call: Call): readonly Step<State, Result>[];
  /** The same text for states that are indistinguishable. */
  keyOf(state: State): string;
}

/** A possible step: the results that it allows, and the state after it. */
export interface Step<State, Result> {
  readonly state: State;
  isResult(result: Result): boolean;
}

/** A longer search throws: too many calls overlap. */
const STEPS_MAX = 1_000_000;

/**
 * Whether the calls can be ordered one after the other, each between its times, so that the rules give every result (Herlihy and
 * Wing). The algorithm is that of Wing and Gong with Lowe's cache: no state is visited twice after the same set of calls.
 */
export function isLinearizable<State, Call, Result>(
  operations: readonly Operation<Call, Result>[],
  rules: Rules<State, Call, Result>,
): boolean {
  const head = link(operations);
  const seen = new Set<string>();
  const passed: { readonly event: Event; readonly state: State; rest: Iterator<State> }[] = [];
  const done = new Uint8Array(operations.length);
  let unanswered = operations.filter(({ to }) => to < Infinity).length;
  let state = rules.initial;
  let event = head.next;
  let resumed: Iterator<State> | undefined;
  for (let steps = 0; unanswered > 0; steps += 1) {
    if (steps > STEPS_MAX)
      throw new Error('the history has too many overlapping calls to be decided');
    if (event === undefined || event.isEnd) {
      const last = passed.pop();
      if (last === undefined) return false;
      ({ event, state, rest: resumed } = last);
      done[event.index] = 0;
      unlift(event);
      if (event.end !== undefined) unanswered += 1;
      continue;
    }
    const { index } = event;
    const operation = operations[index];
    if (operation === undefined) throw new Error('the event has no operation');
    const rest: Iterator<State> = resumed ?? nextStates(rules, state, operation);
    resumed = undefined;
    done[index] = 1;
    const next = nextUnseen(rest, (one) => `${done.join('')} ${rules.keyOf(one)}`, seen);
    if (next === undefined) {
      done[index] = 0;
      event = event.next;
      continue;
    }
    passed.push({ event, state, rest });
    state = next;
    lift(event);
    if (event.end !== undefined) unanswered -= 1;
    event = head.next;
  }
  return true;
}

/**
 * The calls up to the earliest moment at which no order explains the answers so far; all calls when there is an order. Calls that
 * were not answered by then count as unknown.
 */
export function firstContradiction<State, Call, Result>(
  operations: readonly Operation<Call, Result>[],
  rules: Rules<State, Call, Result>,
): readonly Operation<Call, Result>[] {
  const ends = operations.map(({ to }) => to).filter((to) => to < Infinity);
  const moments = ends.sort((one, other) => one - other);
  let [low, high] = [0, moments.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isLinearizable(until(operations, moments[middle] ?? Infinity), rules)) low = middle + 1;
    else high = middle;
  }
  return until(operations, moments[low] ?? Infinity);
}

function until<Call, Result>(
  operations: readonly Operation<Call, Result>[],
  moment: number,
): readonly Operation<Call, Result>[] {
  return operations
    .filter(({ from }) => from <= moment)
    .map((one) => (one.to <= moment ? one : { ...one, to: Infinity, result: undefined }));
}

function* nextStates<State, Call, Result>(
  rules: Rules<State, Call, Result>,
  state: State,
  { call, result }: Operation<Call, Result>,
): Generator<State> {
  for (const step of rules.step(state, call)) {
    if (result === undefined || step.isResult(result)) yield step.state;
  }
}

function nextUnseen<State>(
  states: Iterator<State>,
  nameOf: (state: State) => string,
  seen: Set<string>,
): State | undefined {
  for (let next = states.next(); next.done !== true; next = states.next()) {
    const name = nameOf(next.value);
    if (seen.has(name)) continue;
    seen.add(name);
    return next.value;
  }
  return undefined;
}

/** The begin or end of a call, in a list ordered by time. */
interface Event {
  readonly index: number;
  readonly isEnd: boolean;
  /** The end event of a begin event; undefined when the outcome is unknown. */
  end: Event | undefined;
  previous: Event | undefined;
  next: Event | undefined;
}

function link(operations: readonly Operation<unknown, unknown>[]): Event {
  const timed = operations.flatMap(({ from, to }, index) => {
    const end = to === Infinity ? undefined : makeEvent(index, true);
    const begin = { ...makeEvent(index, false), end };
    return [{ at: from, event: begin }, ...(end === undefined ? [] : [{ at: to, event: end }])];
  });
  // A call that begins when another ends overlaps it, because the clock has limited precision.
  timed.sort(
    (one, other) => one.at - other.at || Number(one.event.isEnd) - Number(other.event.isEnd),
  );
  const head = makeEvent(-1, false);
  let last = head;
  for (const { event } of timed) {
    event.previous = last;
    last.next = event;
    last = event;
  }
  return head;
}

function makeEvent(index: number, isEnd: boolean): Event {
  return { index, isEnd, end: undefined, previous: undefined, next: undefined };
}

function lift(begin: Event): void {
  for (const event of [begin, begin.end]) {
    if (event?.previous !== undefined) event.previous.next = event.next;
    if (event?.next !== undefined) event.next.previous = event.previous;
  }
}

/** In reverse order, so that each event finds its earlier neighbours. */
function unlift(begin: Event): void {
  for (const event of [begin.end, begin]) {
    if (event?.previous !== undefined) event.previous.next = event;
    if (event?.next !== undefined) event.next.previous = event;
  }
}
