/** A membership, seen from the pool or from the insurer. */
export interface Span {
  readonly id: string;
  readonly validFrom: string;
  readonly validTo: string | null;
  /** The other side: the insurer of a pool, or the pool of an insurer. */
  readonly party: { readonly id: string; readonly name: string };
}

interface Bar {
  readonly id: string;
  /** In per cent of the width. */
  readonly left: number;
  readonly width: number;
  readonly state: MembershipState;
}

interface Row {
  readonly party: Span['party'];
  readonly bars: readonly Bar[];
}

interface Axis {
  readonly rows: readonly Row[];
  /** The first of January of each year, in per cent of the width. */
  readonly years: readonly { readonly year: number; readonly left: number }[];
  readonly today: number;
}

export type MembershipState = 'current' | 'ended' | 'later';

const DAY_MS = 86_400_000;
const YEARS_LABELLED_MAX = 8;

/** Days are compared as text, as YYYY-MM-DD. */
export function stateOf(
  { validFrom, validTo }: Pick<Span, 'validFrom' | 'validTo'>,
  today: string,
): MembershipState {
  if (validFrom > today) return 'later';
  return validTo !== null && validTo < today ? 'ended' : 'current';
}

/**
 * Memberships as bars on one axis of time, a row for each party. It goes from the first day of the earliest membership to the
 * last day of the latest, and shows a year beyond today for those without an end.
 */
export function makeAxis(memberships: readonly Span[], today: string): Axis {
  const from = Math.min(dayOf(today), ...memberships.map(({ validFrom }) => dayOf(validFrom)));
  const to = Math.max(
    dayOf(today) + 365,
    ...memberships.map(({ validFrom, validTo }) => dayOf(validTo ?? validFrom) + 1),
  );
  const at = (day: number): number => ((day - from) / (to - from)) * 100;
  const barOf = (membership: Span): Bar => {
    const { id, validFrom, validTo } = membership;
    const left = at(dayOf(validFrom));
    const right = validTo === null ? 100 : at(dayOf(validTo) + 1);
    return { id, left, width: right - left, state: stateOf(membership, today) };
  };
  const parties = new Map(memberships.map(({ party }) => [party.id, party]));
  const rows = [...parties.values()].map((party) => {
    const own = memberships.filter((membership) => membership.party.id === party.id);
    return { party, bars: own.map(barOf) };
  });
  return { rows, years: yearsBetween(from, to, at), today: at(dayOf(today)) };
}

function yearsBetween(from: number, to: number, at: (day: number) => number): Axis['years'] {
  const [first, last] = [yearOf(from) + 1, yearOf(to)];
  const step = Math.max(1, Math.ceil((last - first + 1) / YEARS_LABELLED_MAX));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const year = first + index * step;
    return { year, left: at(dayOf(`${year}-01-01`)) };
  });
}

/** The number of the day, for distances. */
function dayOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}
