import type { Channel, TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import type { Db } from '../../db/prisma.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';

/** A request that passed the gate and the schema (D6). */
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

/**
 * Grace before the sweeper looks at a new row, for the sender's own wake-up to arrive.
 */
const SWEEP_GRACE_SECONDS = 5;

/**
 * Records RECEIVED transmissions in one committed statement, one receipt each in their order (D2). The unique index
 * decides: of many simultaneous requests with one externalTransactionId exactly one is recorded (D5). Safe to
 * repeat after an error: a row of the first try is found again by its id.
 */
export async function receive(
  db: Db,
  keyring: Keyring,
  received: readonly ReceivedTransmission[],
): Promise<Receipt[]> {
  const rows = received.map(({ bodyJson, requestHash, unknownFields, ...row }) => ({
    ...row,
    unknownFields,
    requestHash: Buffer.from(requestHash).toString('base64'),
    bodySealed: keyring.seal(bodyJson, row.id).toString('base64'),
  }));
  // Written in one order, so that two processes with the same external ids queue up.
  const inserted = await db.$queryRaw<{ id: string; transmission_reference: string }[]>`
      INSERT INTO transmissions (
        id, sequence, transmission_reference, organization_id, api_client_id, external_transaction_id,
        kind, channel, actor, request_hash, body_sealed, unknown_fields, vehicle_count, policy_number,
        coc_number, issuing_insurer_code, target_certificate_id, request_id, received_at, sweep_at
      )
      SELECT
        id, n, 'PPAI-TX-' || year || '-' || lpad(n::text, greatest(9, length(n::text)), '0'),
        "organizationId", "apiClientId", "externalTransactionId", kind, channel, actor,
        decode("requestHash", 'base64'), decode("bodySealed", 'base64'), "unknownFields", "vehicleCount",
        "policyNumber", "cocNumber", "issuingInsurerCode", "targetCertificateId", "requestId", "receivedAt",
        now() + make_interval(secs => ${SWEEP_GRACE_SECONDS})
      FROM (
        SELECT r.*, nextval('transmission_sequence') AS n
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, year text, "organizationId" uuid,
          "apiClientId" uuid, "externalTransactionId" text, kind text, channel text, actor text,
          "requestHash" text, "bodySealed" text, "unknownFields" text[], "vehicleCount" int,
          "policyNumber" text, "cocNumber" text, "issuingInsurerCode" text, "targetCertificateId" uuid,
          "requestId" text, "receivedAt" timestamptz)
      ) AS numbered
      ORDER BY "organizationId", "externalTransactionId"
      ON CONFLICT ON CONSTRAINT transmissions_idempotency DO NOTHING
      RETURNING id, transmission_reference`;
  const references = new Map(inserted.map((row) => [row.id, row.transmission_reference]));
  return Promise.all(
    received.map(async (one): Promise<Receipt> => {
      const reference = references.get(one.id);
      if (reference === undefined) return requireReceipt(db, one);
      const { id } = one;
      return { outcome: 'recorded', id, transmissionReference: reference, status: 'RECEIVED' };
    }),
  );
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
