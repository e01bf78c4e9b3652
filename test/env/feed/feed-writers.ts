import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../../../shared/db/prisma.ts';
import { acknowledgeInProgress } from '../../../shared/domain/presentation/acknowledge.ts';
import { noWrites } from '../../../shared/domain/registration/writes.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import { writeBatch } from '../../../shared/store/registry/commit/commit-batch.ts';
import { insertChanges } from '../../../shared/store/registry/commit/insert-changes.ts';
import { reviewFlag } from '../../../shared/store/staff/flags/review.ts';

export interface WriterWorld {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly organizationId: string;
  readonly certificateIds: readonly string[];
}

/** What the writers did, by the id of the transmission or the flag. */
export interface Written {
  readonly committed: Set<string>;
  readonly rolledBack: Set<string>;
}

const WRITERS = 16;
const ROLLED_BACK_SHARE = 0.1;
const PAUSE_MS_MAX = 25;
const LONG_PAUSE_MS = 300;
const LONG_PAUSE_SHARE = 0.04;

/** Writes at random from 16 connections until `endsAt` (performance.now), and longer on a machine that wrote fewer changes than `committedMin`. */
export async function writeUntil(
  world: WriterWorld,
  { endsAt, committedMin }: { readonly endsAt: number; readonly committedMin: number },
): Promise<Written> {
  const written: Written = { committed: new Set(), rolledBack: new Set() };
  const writer = async (number: number): Promise<void> => {
    const write = WRITES[number % WRITES.length] ?? settle;
    while (performance.now() < endsAt || written.committed.size < committedMin)
      await writeOnce(world, written, write);
  };
  await Promise.all(Array.from({ length: WRITERS }, (_one, number) => writer(number)));
  return written;
}

type Write = (tx: Tx, world: WriterWorld, id: string) => Promise<void>;

class RolledBack extends Error {}

async function writeOnce(world: WriterWorld, written: Written, write: Write): Promise<void> {
  const id = randomUUID();
  const isRolledBack = Math.random() < ROLLED_BACK_SHARE;
  try {
    await world.db.$transaction(async (tx) => {
      // Some draw their transaction id long before they write the change.
      if (Math.random() < 0.5) await tx.$queryRaw`SELECT pg_current_xact_id()::text AS id`;
      await sleep(randomPause());
      await write(tx, world, id);
      await sleep(randomPause());
      if (isRolledBack) throw new RolledBack('rolled back on purpose');
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  (isRolledBack ? written.rolledBack : written.committed).add(id);
}

function randomPause(): number {
  return Math.random() < LONG_PAUSE_SHARE ? LONG_PAUSE_MS : Math.random() * PAUSE_MS_MAX;
}

/** Settles a transmission through the commit of a batch. */
async function settle(tx: Tx, { keyring, organizationId }: WriterWorld, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
      request_hash, body_sealed, request_id, received_at, status, fence)
    VALUES (${id}::uuid, nextval('transmission_sequence'), ${id}, ${organizationId}::uuid, ${id}, 'CREATE', 'test', '', '',
      'request-1', now(), 'VALIDATING', 1)`;
  await writeBatch(tx, keyring, {
    transmissions: [
      {
        id,
        fence: 1,
        status: 'REJECTED',
        acknowledgment: acknowledgmentOf(id),
        errorCode: 'VALIDATION_FAILED',
        certificateId: null,
        completedAt: new Date(),
      },
    ],
    writes: noWrites(),
    changes: [],
  });
}

/** The last step of a commit that amends or cancels a record. */
function change(kind: 'amendment' | 'cancellation'): Write {
  return async (tx, { certificateIds }, id) => {
    const certificateId = randomOf(certificateIds);
    const transmission = {
      id,
      fence: 1,
      status: 'ACCEPTED',
      acknowledgment: acknowledgmentOf(id),
      errorCode: null,
      certificateId,
      completedAt: new Date(),
    } as const;
    const changes = {
      certificateId,
      amendment: null,
      cancellation: kind === 'amendment' ? null : CANCELLATION,
      certificate: null,
      policy: null,
      changedVehicles: [],
      removedOrdinals: [],
      held: [],
      resolvedFlagIds: [],
    };
    await insertChanges(tx, { transmissions: [transmission], changes: [changes] });
  };
}

function acknowledgmentOf(id: string) {
  const head = {
    transmissionReference: id,
    externalTransactionId: id,
    kind: 'CREATE',
    policyNumber: null,
    cocNumber: null,
    receivedAt: new Date(),
  } as const;
  return acknowledgeInProgress(head, 'REJECTED');
}

const CANCELLATION = {
  cancellationEffectiveDate: '2026-10-15',
  reasonCode: 'OTHER',
  reasonText: 'Test',
  supportingReference: null,
  transmissionId: randomUUID(),
  createdAt: new Date(),
};

async function review(tx: Tx, { keyring, certificateIds }: WriterWorld, id: string): Promise<void> {
  const flag = { id, type: 'VEHICLE_MISMATCH', region: 'NCR', message: 'Test' };
  const certificateId = randomOf(certificateIds);
  await tx.flag.create({ data: { ...flag, certificateId, createdAt: new Date() } });
  const actor = { kind: 'COMMAND', id: null, email: 'test@staff.example', role: null } as const;
  const by = { actor, address: null, requestId: id, at: new Date(), keys: keyring };
  await reviewFlag(tx, keyring, { flagId: id, status: 'CLEARED', notes: 'Test' }, by);
}

const WRITES: readonly Write[] = [settle, change('amendment'), change('cancellation'), review];

function randomOf(values: readonly string[]): string {
  return values[Math.floor(Math.random() * values.length)] ?? '';
}
