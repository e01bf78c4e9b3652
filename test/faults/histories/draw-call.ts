import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { today, uniqueNumber } from '../../env/api/bodies.ts';
import type { Random } from '../random.ts';
import type { Call } from './coverage-rules.ts';
import { NAMES, type Name, type Names, type Period, present, VALUES } from './coverage-state.ts';

/** What the clients of a history know about a family. */
export interface Known {
  /** Keys and insurers of sent transmissions. */
  readonly sent: { readonly key: string; readonly insurer: string }[];
  /** Keys and insurers of registered certificates. */
  readonly registered: { readonly key: string; readonly insurer: string }[];
}

type Op = Call['op'];

const WEIGHTS: readonly (readonly [Op, number])[] = [
  ['transmit', 30],
  ['amend days', 11],
  ['amend name', 9],
  ['cancel', 12],
  ['look up', 10],
  ['check', 14],
  ['search', 8],
  ['read', 6],
];

/** Draws the next call of an insurer's client; a transmission if no other call is possible yet. */
export function drawCall(random: Random, insurer: string, { sent, registered }: Known): Call {
  const isOwn = (one: { readonly insurer: string }) => one.insurer === insurer;
  const [transmissions, certificates] = [sent.filter(isOwn), registered.filter(isOwn)];
  const op = drawOp(random);
  switch (op) {
    case 'transmit':
      return drawTransmit(random, insurer);
    case 'check':
      return { op, name: random.pick(NAMES), day: drawDay(random) };
    case 'search':
      return { op, name: random.pick(NAMES), insurer };
    case 'look up':
      if (transmissions.length === 0) return drawTransmit(random, insurer);
      return { op, key: random.pick(transmissions).key };
    default: {
      if (certificates.length === 0) return drawTransmit(random, insurer);
      // The latest certificates are the most likely to be changed by other clients at the same time.
      const certificate = random.pick(certificates.slice(-4)).key;
      if (op === 'read') return { op, certificate };
      const key = uniqueNumber('HIST');
      if (op === 'cancel') return { op, key, certificate };
      if (op === 'amend days') return { op, key, certificate, ...drawPeriod(random) };
      return { op, key, certificate, name: random.below(PLATE * VALUES) };
    }
  }
}

export function drawTransmit(random: Random, insurer: string): Call {
  const key = uniqueNumber('HIST');
  return { op: 'transmit', key, insurer, names: drawNames(random), ...drawPeriod(random) };
}

/** Amendments identify a vehicle by its plate, so they do not change it. */
export const PLATE = IDENTIFIER_KINDS.indexOf('plateNumber');

function drawOp(random: Random): Op {
  let left = random.below(WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [op, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return op;
  }
  return 'transmit';
}

function drawNames(random: Random): Names {
  const names = IDENTIFIER_KINDS.map((_, kind): Name | undefined =>
    random.percent(45) ? kind * VALUES + Number(random.percent(25)) : undefined,
  );
  return present(names).length > 0 ? names : names.with(0, 0);
}

const STEP_DAYS = 10;

function drawPeriod(random: Random): Period {
  const from = random.below(6) * STEP_DAYS;
  const to = from + random.pick([1, 2, 4]) * STEP_DAYS - 1;
  return { from: addDays(today(), from), to: addDays(today(), to) };
}

function drawDay(random: Random): string {
  return addDays(today(), random.below(100));
}
