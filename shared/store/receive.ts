import type { Channel, TransmissionKind, TransmissionStatus } from '../contract/enums.ts';
import type { Keyring } from '../platform/sealing.ts';
import type { Db } from './db.ts';

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
  /** The known members of the body; leaves here only sealed. */
  readonly body: object;
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
 * Records a RECEIVED transmission in one committed statement (D2). The unique index decides: of many
 * simultaneous requests with one externalTransactionId exactly one is recorded (D5).
 */
export async function receive(
  db: Db,
  keyring: Keyring,
  received: ReceivedTransmission,
): Promise<Receipt> {
  const sealed = keyring.seal(JSON.stringify(received.body), received.id);
  const inserted = await db.$queryRaw<{ transmission_reference: string }[]>`
    INSERT INTO transmissions (
      id, sequence, transmission_reference, organization_id, api_client_id, external_transaction_id,
      kind, channel, actor, request_hash, body_sealed, unknown_fields, vehicle_count, policy_number,
      coc_number, issuing_insurer_code, target_certificate_id, request_id, received_at, sweep_at
    )
    SELECT
      ${received.id}::uuid, n,
      'PPAI-TX-' || ${received.year} || '-' || lpad(n::text, greatest(9, length(n::text)), '0'),
      ${received.organizationId}::uuid, ${received.apiClientId}::uuid, ${received.externalTransactionId},
      ${received.kind}, ${received.channel}, ${received.actor}, ${received.requestHash}, ${sealed},
      ${received.unknownFields}, ${received.vehicleCount}, ${received.policyNumber},
      ${received.cocNumber}, ${received.issuingInsurerCode}, ${received.targetCertificateId}::uuid,
      ${received.requestId}, ${received.receivedAt},
      now() + make_interval(secs => ${SWEEP_GRACE_SECONDS})
    FROM nextval('transmission_sequence') AS n
    ON CONFLICT ON CONSTRAINT transmissions_idempotency DO NOTHING
    RETURNING transmission_reference`;
  const [row] = inserted;
  if (row !== undefined) {
    return {
      outcome: 'recorded',
      id: received.id,
      transmissionReference: row.transmission_reference,
      status: 'RECEIVED',
    };
  }
  const earlier = await findReceipt(db, received);
  if (earlier === undefined) throw new Error('a transmission vanished between insert and read');
  return earlier;
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
