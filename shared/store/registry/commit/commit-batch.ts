import type { Db, Tx } from '../../../db/prisma.ts';
import type { RecordChanges, RegistryWrites } from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { type FinishedTransmission, finishTransmissions } from './finish-transmissions.ts';
import { insertChanges } from './insert-changes.ts';
import {
  insertCertificates,
  insertCertificateVehicles,
  insertFlags,
  insertPolicies,
  insertVersions,
  writeVehicles,
} from './insert-rows.ts';
import { lockIfUnchanged, requireFence } from './read-set.ts';
import { reserveIdentifiers } from './reserve-identifiers.ts';
import { writeChanges } from './write-changes.ts';

/** Decided transmissions with all rows that the decisions write. */
export interface Batch {
  readonly transmissions: readonly FinishedTransmission[];
  readonly writes: RegistryWrites;
  /** The changes of amended and cancelled records. `lockRecord` must have locked these records. */
  readonly changes: readonly RecordChanges[];
}

/**
 * Commits a batch in one transaction (D2): all rows are written, or none.
 *
 * @throws {FenceLost} Another worker has claimed one of the transmissions.
 * @throws {StaleRead} A row that a decision depends on has changed: decide again.
 * @throws {ReservationRefused} A vehicle is covered already (D9): decide again with the covers in force.
 * A unique violation also means that a decision was stale.
 */
export async function commitBatch(prisma: Db, keyring: Keyring, batch: Batch): Promise<void> {
  await prisma.$transaction((tx) => writeBatch(tx, keyring, batch));
}

/** The same inside a transaction of the caller, which must end when this throws. */
export async function writeBatch(
  tx: Tx,
  keyring: Keyring,
  { transmissions, writes, changes }: Batch,
): Promise<void> {
  await requireFence(tx, transmissions);
  await lockIfUnchanged(tx, writes.readSet, { isChange: changes.length > 0 });
  await reserveIdentifiers(tx, writes, changes);
  await insertPolicies(tx, writes.policies);
  await insertCertificates(tx, keyring, writes.certificates);
  await writeVehicles(tx, writes.vehicles);
  await insertCertificateVehicles(tx, writes.certificateVehicles);
  await insertVersions(tx, keyring, writes.versions);
  await insertFlags(tx, writes.flags);
  for (const one of changes) await writeChanges(tx, keyring, one);
  await finishTransmissions(tx, transmissions);
  await insertChanges(tx, { transmissions, changes });
}
