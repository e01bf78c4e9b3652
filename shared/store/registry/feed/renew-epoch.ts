import type { Db } from '../../../db/prisma.ts';

/** A feed of many millions of changes is rewritten. */
const RENEW_MS_MAX = 60 * 60_000;

/**
 * Begins a new epoch of the change feed: every cursor becomes unknown (D37). In a restored database, transaction ids of stored
 * changes may lie in the future. They get that of this transaction; the order of the changes stays. No other process may run.
 */
export async function renewFeedEpoch(db: Db): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
      await tx.$executeRaw`UPDATE changes SET xid = pg_current_xact_id() WHERE xid > pg_current_xact_id()`;
      await tx.$executeRaw`UPDATE feed_epoch SET epoch = gen_random_uuid()`;
    },
    { timeout: RENEW_MS_MAX },
  );
}
