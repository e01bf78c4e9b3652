import {
  CHANGE_TYPES,
  type ChangeItem,
  type ChangeType,
} from '../../../shared/contract/machine/changes.ts';
import { presentSummary } from '../../../shared/domain/presentation/present-summary.ts';
import { CHANGE_TYPE_NUMBERS } from '../../../shared/store/registry/feed/change-types.ts';
import { writeCursor } from '../../../shared/store/registry/feed/feed-cursor.ts';
import { readChangeRecords } from '../../../shared/store/registry/feed/read-change-records.ts';
import type { VisibleChange } from '../../../shared/store/registry/feed/read-changes.ts';
import { readToday } from '../../../shared/store/sandbox/registry-day.ts';
import type { ApiContext } from '../../context.ts';

/** The items of a page, in the order of the changes. */
export async function presentChanges(
  context: ApiContext,
  changes: readonly VisibleChange[],
  feedId: string,
  includesRecord: boolean,
): Promise<ChangeItem[]> {
  const items = changes.map((change) => presentChange(change, feedId));
  if (!includesRecord) return items;
  const records = await readRecords(context, changes);
  return items.map((item, index) => ({
    ...item,
    record: records.get(changes[index]?.certificateId ?? '') ?? null,
  }));
}

function presentChange(visible: VisibleChange, feedId: string): ChangeItem {
  const { change } = visible;
  return {
    cursor: writeCursor(feedId, change),
    type: typeOf(change.type),
    kind: visible.kind,
    status: visible.status,
    errorCode: visible.errorCode,
    transmissionReference: visible.transmissionReference,
    externalTransactionId: visible.externalTransactionId,
    transmittingOrg: visible.transmittingOrg,
    registryReference: visible.registryReference,
    version: change.version,
    lifecycle: visible.lifecycle,
    at: visible.at?.toISOString() ?? null,
  };
}

/** The summaries of the visible records as they are now, by the id of the certificate. */
async function readRecords(
  { db, keyring, clock, config }: ApiContext,
  changes: readonly VisibleChange[],
) {
  const now = clock.now();
  const { records, expiringWithinDays } = await readChangeRecords(db, keyring, changes, now);
  const day = { today: await readToday(db, config, now), expiringWithinDays };
  return new Map(records.map((record) => [record.id, presentSummary(record, day)]));
}

function typeOf(stored: number): ChangeType {
  const type = CHANGE_TYPES.find((one) => CHANGE_TYPE_NUMBERS[one] === stored);
  if (type === undefined) throw new Error(`unknown type of change ${stored}`);
  return type;
}
