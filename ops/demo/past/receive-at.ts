import { requestHash } from '../../../api/http/body/request-hash.ts';
import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import type { ReceivedTransmission } from '../../../shared/store/intake/receive.ts';
import { DEMO_CLIENTS } from '../demonstration.ts';
import type { SendingClient } from './plan-bursts.ts';

/** A demonstration client as the database knows it. */
export interface Sender {
  readonly name: string;
  readonly apiClientId: string;
  readonly organizationId: string;
}

export type Senders = (client: SendingClient) => Sender;

/** Undefined when the database lacks a demonstration client. */
export async function findSenders(db: Db): Promise<Senders | undefined> {
  const rows = await db.apiClient.findMany({
    where: {
      OR: DEMO_CLIENTS.map(({ name, organizationCode }) => ({
        name,
        organization: { code: organizationCode },
      })),
    },
    select: { id: true, name: true, organizationId: true },
  });
  if (rows.length < DEMO_CLIENTS.length) return undefined;
  return (client) => {
    const row = rows.find(({ name }) => name === client);
    if (row === undefined) throw new Error(`there is no demonstration client ${client}`);
    return { name: client, apiClientId: row.id, organizationId: row.organizationId };
  };
}

/** The moment of receipt and its calendar date. */
export interface ReceiptMoment {
  readonly receivedAt: Date;
  readonly day: string;
}

/** The row that the API would have recorded for this request at that moment. */
export function certificateReceived(
  sender: Sender,
  body: TransmissionBody,
  at: ReceiptMoment,
): ReceivedTransmission {
  return {
    ...headOf(sender, at),
    externalTransactionId: body.externalTransactionId,
    kind: 'CREATE',
    requestHash: requestHash('CREATE', null, body),
    bodyJson: JSON.stringify(body),
    vehicleCount: body.vehicles.length,
    policyNumber: body.policy.policyNumber ?? null,
    cocNumber: body.certificate.cocNumber ?? null,
    issuingInsurerCode: body.issuingInsurerCode ?? null,
    targetCertificateId: null,
  };
}

/** A record to change. */
export interface Target {
  readonly certificateId: string;
  readonly registryReference: string;
  /** The certificate as it was transmitted. */
  readonly body: TransmissionBody;
}

/** @throws {Error} when the certificate was not registered */
export async function requireTarget(
  db: Db,
  { organizationId }: Sender,
  body: TransmissionBody,
): Promise<Target> {
  const { externalTransactionId } = body;
  const { certificateId } = await db.transmission.findUniqueOrThrow({
    where: {
      organizationId_externalTransactionId: { organizationId, externalTransactionId },
    },
    select: { certificateId: true },
  });
  if (certificateId === null) throw new Error(`${externalTransactionId} was not registered`);
  const { registryReference } = await db.certificate.findUniqueOrThrow({
    where: { id: certificateId },
    select: { registryReference: true },
  });
  return { certificateId, registryReference, body };
}

export type Change =
  | { readonly kind: 'AMEND'; readonly body: AmendmentBody; readonly vehicleCount: number }
  | { readonly kind: 'CANCEL'; readonly body: CancellationBody; readonly vehicleCount: 0 };

export function changeReceived(
  sender: Sender,
  { kind, body, vehicleCount }: Change,
  { certificateId, registryReference, body: { policy, certificate, issuingInsurerCode } }: Target,
  at: ReceiptMoment,
): ReceivedTransmission {
  return {
    ...headOf(sender, at),
    externalTransactionId: body.externalTransactionId,
    kind,
    requestHash: requestHash(kind, registryReference, body),
    bodyJson: JSON.stringify(body),
    vehicleCount,
    policyNumber: policy.policyNumber ?? null,
    cocNumber: certificate.cocNumber ?? null,
    issuingInsurerCode: issuingInsurerCode ?? null,
    targetCertificateId: certificateId,
  };
}

function headOf({ name, apiClientId, organizationId }: Sender, { receivedAt, day }: ReceiptMoment) {
  return {
    id: newId(),
    organizationId,
    apiClientId,
    channel: 'API',
    actor: name,
    unknownFields: [],
    requestId: `demo-${newId()}`,
    batch: null,
    receivedAt,
    year: day.slice(0, 4),
  } as const;
}
