import { createHash } from 'node:crypto';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { ReceivedTransmission } from '../../../shared/store/intake/receive.ts';

/** A transmission as the API would record it, for what goes past the API. */
export function makeReceived(
  id: string,
  organizationId: string,
  body: TransmissionBody,
): ReceivedTransmission {
  const receivedAt = new Date();
  return {
    id,
    organizationId,
    apiClientId: null,
    externalTransactionId: body.externalTransactionId,
    kind: 'CREATE',
    channel: 'API',
    actor: 'bench',
    requestHash: createHash('sha256').update(id).digest(),
    bodyJson: JSON.stringify(body),
    unknownFields: [],
    vehicleCount: body.vehicles.length,
    policyNumber: body.policy.policyNumber ?? null,
    cocNumber: body.certificate.cocNumber ?? null,
    issuingInsurerCode: body.issuingInsurerCode ?? null,
    targetCertificateId: null,
    requestId: id,
    receivedAt,
    year: String(receivedAt.getFullYear()),
  };
}
