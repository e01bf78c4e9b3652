import type { Tx } from '../../../db/prisma.ts';
import type { RecordChanges } from '../../../domain/registration/writes.ts';
import { type Change, insertChangeRows } from '../feed/insert-change-rows.ts';
import type { FinishedTransmission } from './finish-transmissions.ts';

/** Adds each transmission of the batch to the change feed (D37), with one statement. It must be the last step. */
export async function insertChanges(
  tx: Tx,
  batch: {
    readonly transmissions: readonly FinishedTransmission[];
    readonly changes: readonly RecordChanges[];
  },
): Promise<void> {
  const changed = new Map(batch.changes.map((change) => [change.certificateId, change]));
  await insertChangeRows(
    tx,
    batch.transmissions.map(({ id, status, certificateId }): Change => {
      const change = { transmissionId: id, flagId: null };
      if (status === 'REJECTED' || certificateId === null)
        return { ...change, type: 'TRANSMISSION_COMPLETED', certificateId: null };
      return { ...change, type: typeOf(changed.get(certificateId)), certificateId };
    }),
  );
}

function typeOf(change: RecordChanges | undefined): Change['type'] {
  if (change === undefined) return 'TRANSMISSION_COMPLETED';
  return change.cancellation === null ? 'RECORD_AMENDED' : 'RECORD_CANCELLED';
}
