import type { Db } from '../../../db/prisma.ts';
import type { SummaryRow } from '../../../domain/presentation/present-summary.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { expiringWithinDaysAt } from '../records/record-columns.ts';
import { readSummaries } from '../search-records.ts';
import type { VisibleChange } from './read-changes.ts';

export interface ChangeRecords {
  readonly records: readonly SummaryRow[];
  readonly expiringWithinDays: number;
}

/** The visible records of these changes as they are now. */
export async function readChangeRecords(
  db: Pick<Db, '$queryRaw'>,
  keyring: Keyring,
  changes: readonly VisibleChange[],
  now: Date,
): Promise<ChangeRecords> {
  const ids = new Set(changes.flatMap(({ certificateId }) => certificateId ?? []));
  const records = await readSummaries(db, keyring, [...ids]);
  const [active] = await db.$queryRaw<{ days: number | null }[]>`
    SELECT ${expiringWithinDaysAt(now)} AS days`;
  const days = active?.days ?? null;
  if (days === null) throw new Error('no rule set is active');
  return { records, expiringWithinDays: days };
}
