import { EXIT_CODES } from '../exit-codes.ts';
import type { JournalState } from './journal/read-journal.ts';
import { totalsOf } from './totals.ts';

/** The exit code of a batch that came to its end, or was interrupted. */
export function exitCodeOf(state: JournalState, signal: AbortSignal | undefined): number {
  if (signal?.aborted) return EXIT_CODES.interrupted;
  const { ends, open } = totalsOf(state);
  if (ends.rejected + ends.failed > 0) return EXIT_CODES.refused;
  return ends.inProgress + open > 0 ? EXIT_CODES.inProgress : EXIT_CODES.done;
}
