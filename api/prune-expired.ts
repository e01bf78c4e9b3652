import { pruneAccessTokens } from '../shared/store/access/access-tokens.ts';
import { pruneNonces } from '../shared/store/access/nonces.ts';
import { pruneRateLimits } from '../shared/store/access/rate-limits.ts';
import { pruneFailureCounts, pruneFailureEntries } from '../shared/store/staff/sign-in/failures.ts';
import { pruneStaffSessions } from '../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from './context.ts';

export const PRUNE_INTERVAL_MS = 30_000;
const PRUNED_ROWS_MAX = 5_000;
/** The next pass deletes what exceeds this limit. */
const PRUNE_STATEMENTS_MAX = 20;

/** One bounded pass that deletes expired access tokens, nonces, rate-limit windows, and sign-ins and sessions of staff. */
export async function pruneExpired({ db, clock }: Pick<ApiContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const passes = [
    () => pruneAccessTokens(db, now, PRUNED_ROWS_MAX),
    () => pruneNonces(db, 'nonces', now, PRUNED_ROWS_MAX),
    () => pruneNonces(db, 'nonces_ahead', now, PRUNED_ROWS_MAX),
    () => pruneRateLimits(db, now, PRUNED_ROWS_MAX),
    () => pruneStaffSessions(db, now, PRUNED_ROWS_MAX),
    () => pruneFailureCounts(db, now, PRUNED_ROWS_MAX),
    () => pruneFailureEntries(db, now, PRUNED_ROWS_MAX),
  ];
  for (const prune of passes) {
    for (let statements = 0; statements < PRUNE_STATEMENTS_MAX; statements += 1) {
      if ((await prune()) < PRUNED_ROWS_MAX) break;
    }
  }
}
