import type { Db } from '../../db/prisma.ts';

/** The dry runs of one client since they were last written. */
export interface DryRuns {
  readonly apiClientId: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** Adds to the counts of clients, in the order of ids, so that two API processes cannot deadlock. */
export async function addDryRuns(db: Db, dryRuns: readonly DryRuns[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO dry_run_counts (api_client_id, count, last_at)
    SELECT * FROM unnest(${dryRuns.map(({ apiClientId }) => apiClientId)}::uuid[],
      ${dryRuns.map(({ count }) => count)}::bigint[],
      ${dryRuns.map(({ lastAt }) => lastAt)}::timestamptz[]) AS added (api_client_id, count, last_at)
    ORDER BY api_client_id
    ON CONFLICT (api_client_id) DO UPDATE SET count = dry_run_counts.count + excluded.count,
      last_at = greatest(dry_run_counts.last_at, excluded.last_at)`;
}
