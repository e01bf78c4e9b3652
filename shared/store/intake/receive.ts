import type { Channel, TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { rankBefore, rankNextChanges } from './fair-rank.ts';
import { WORK } from './work.ts';

/** A request that passed authentication and the schema (D6). */
export interface ReceivedTransmission {
  readonly id: string;
  readonly organizationId: string;
  readonly apiClientId: string | null;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly channel: Channel;
  readonly actor: string;
  readonly requestHash: Uint8Array;
  /** The known members of the body as JSON; leaves here only sealed. */
  readonly bodyJson: string;
  readonly unknownFields: readonly string[];
  readonly vehicleCount: number;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly issuingInsurerCode: string | null;
  readonly targetCertificateId: string | null;
  readonly requestId: string;
  /** The sender's name of the batch that it belongs to (D35). */
  readonly batch: string | null;
  readonly receivedAt: Date;
  /** Year of receipt in the registry's time zone (D13). */
  readonly year: string;
}

/** What a POST found under its externalTransactionId (D5). */
export interface Receipt {
  readonly outcome: 'recorded' | 'repeated' | 'reused';
  readonly id: string;
  readonly transmissionReference: string;
  readonly status: TransmissionStatus;
}

/** Time for the job of a new transmission to arrive before the sweeper enqueues another. */
const SWEEP_GRACE_SECONDS = 5;

/**
 * Records RECEIVED transmissions in one committed statement and returns one receipt for each, in their order (D2). The unique
 * index decides: of many simultaneous requests with one externalTransactionId exactly one is recorded (D5). Safe to repeat after
 * an error: the row of the first attempt is found by its id.
 */
export async function receive(
  db: Db,
  keyring: Keyring,
  received: readonly ReceivedTransmission[],
): Promise<Receipt[]> {
  const inserted = await insert(db, keyring, received);
  const references = new Map(inserted.map((row) => [row.id, row.transmissionReference]));
  const isNew = ({ id }: ReceivedTransmission) => references.has(id);
  const targets = received.filter(isNew).map(({ targetCertificateId }) => targetCertificateId);
  await rankNextChanges(db, [...new Set(targets.filter((id) => id !== null))]);
  return Promise.all(
    received.map(async (one): Promise<Receipt> => {
      const transmissionReference = references.get(one.id);
      if (transmissionReference === undefined) return requireReceipt(db, one);
      return { outcome: 'recorded', id: one.id, transmissionReference, status: 'RECEIVED' };
    }),
  );
}

/**
 * The rows that were new. The ORDER BY keeps two processes with the same external ids from a deadlock. A certificate gets its
 * fair rank here; a change gets it when no earlier change of its record is in progress.
 */
async function insert(
  db: Db,
  keyring: Keyring,
  received: readonly ReceivedTransmission[],
): Promise<{ id: string; transmissionReference: string }[]> {
  const rows = received.map(({ bodyJson, requestHash, organizationId, vehicleCount, ...row }) => ({
    ...row,
    organization_id: organizationId,
    vehicle_count: vehicleCount,
    requestHash: Buffer.from(requestHash).toString('base64'),
    bodySealed: keyring.seal(bodyJson, row.id).toString('base64'),
  }));
  return db.$queryRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, api_client_id,
      external_transaction_id, kind, channel, actor, request_hash, body_sealed, unknown_fields, vehicle_count,
      policy_number, coc_number, issuing_insurer_code, target_certificate_id, request_id, received_at, sweep_at,
      batch, fair_rank)
    SELECT id, n, 'PPAI-TX-' || year || '-' || lpad(n::text, greatest(9, length(n::text)), '0'),
      organization_id, "apiClientId", "externalTransactionId", kind, channel, actor,
      decode("requestHash", 'base64'), decode("bodySealed", 'base64'), "unknownFields", vehicle_count,
      "policyNumber", "cocNumber", "issuingInsurerCode", "targetCertificateId", "requestId", "receivedAt",
      now() + make_interval(secs => ${SWEEP_GRACE_SECONDS}), batch,
      CASE kind WHEN 'CREATE' THEN ${rankBefore(Prisma.sql`t.organization_id`)}
        + sum(${WORK}) FILTER (WHERE kind = 'CREATE') OVER (PARTITION BY organization_id ORDER BY n) END
    FROM (
      SELECT r.*, nextval('transmission_sequence') AS n
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, year text, organization_id uuid,
        "apiClientId" uuid, "externalTransactionId" text, kind text, channel text, actor text, "requestHash" text,
        "bodySealed" text, "unknownFields" text[], vehicle_count int, "policyNumber" text, "cocNumber" text,
        "issuingInsurerCode" text, "targetCertificateId" uuid, "requestId" text, batch text, "receivedAt" timestamptz)
    ) AS t
    ORDER BY organization_id, "externalTransactionId"
    ON CONFLICT ON CONSTRAINT transmissions_idempotency DO NOTHING
    RETURNING id::text, transmission_reference AS "transmissionReference"`;
}

async function requireReceipt(db: Db, received: ReceivedTransmission): Promise<Receipt> {
  const earlier = await findReceipt(db, received);
  if (earlier === undefined) throw new Error('a transmission vanished between insert and read');
  return earlier.id === received.id ? { ...earlier, outcome: 'recorded' } : earlier;
}

/** What is recorded under this externalTransactionId already; undefined when nothing is. */
export async function findReceipt(
  db: Db,
  received: Pick<ReceivedTransmission, 'organizationId' | 'externalTransactionId' | 'requestHash'>,
): Promise<Receipt | undefined> {
  const [earlier] = await db.$queryRaw<
    { id: string; transmission_reference: string; status: TransmissionStatus; same: boolean }[]
  >`
    SELECT id, transmission_reference, status, request_hash = ${received.requestHash} AS same
    FROM transmissions
    WHERE organization_id = ${received.organizationId}::uuid
      AND external_transaction_id = ${received.externalTransactionId}`;
  return (
    earlier && {
      outcome: earlier.same ? 'repeated' : 'reused',
      id: earlier.id,
      transmissionReference: earlier.transmission_reference,
      status: earlier.status,
    }
  );
}
