import { ENDS, type End } from './journal/journal-lines.ts';
import type { JournalState } from './journal/read-journal.ts';

const CODES_SHOWN_MAX = 5;

export interface Totals {
  readonly ends: Readonly<Record<End, number>>;
  /** Received by the registry, outcome not known yet. */
  readonly open: number;
  readonly unsent: number;
  /** The codes of refusals, the most frequent first. */
  readonly codes: readonly (readonly [code: string, count: number])[];
}

/** Counts the certificates of the newest file. */
export function totalsOf({ header, entries, removed }: JournalState): Totals {
  const ends = { accepted: 0, flagged: 0, rejected: 0, failed: 0, inProgress: 0 };
  const codes = new Map<string, number>();
  let open = 0;
  for (const [id, { end, code }] of entries) {
    if (removed.has(id)) continue;
    if (end === null) open += 1;
    else ends[end] += 1;
    if (code !== null && (end === 'rejected' || end === 'failed')) {
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  }
  return {
    ends,
    open,
    unsent: Math.max(0, (header?.total ?? 0) - (entries.size - removed.size)),
    codes: [...codes].sort((one, other) => other[1] - one[1]),
  };
}

/** One line for the outcomes, and one for the most frequent codes if something was refused. */
export function describeTotals({ ends, open, unsent, codes }: Totals): string[] {
  const counts = ENDS.map((end) => `${end} ${ends[end]}`).join(', ');
  const shown = codes.slice(0, CODES_SHOWN_MAX).map(([code, count]) => `${code} ${count}`);
  return [
    [
      counts,
      ...(open > 0 ? [`without an outcome yet ${open}`] : []),
      ...(unsent > 0 ? [`not sent yet ${unsent}`] : []),
    ].join(', '),
    ...(shown.length > 0 ? [`Most frequent codes: ${shown.join(', ')}`] : []),
  ];
}
