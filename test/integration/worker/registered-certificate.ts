import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type BodyChanges, makeBody, today, uniqueNumber } from '../../env/api/bodies.ts';
import type { Stack, Transmitted } from '../../env/api/stack.ts';

export interface RegisteredCertificate {
  readonly body: TransmissionBody;
  readonly acknowledgment: Acknowledgment;
  readonly registryReference: string;
}

/** Registers a certificate; fails the test if it is refused. */
export async function registerOn(
  stack: Stack,
  client: string,
  changes: BodyChanges = {},
): Promise<RegisteredCertificate> {
  const body = makeBody(changes);
  const { status, acknowledgment } = await stack.transmit(client, body);
  expect(status).toBe(201);
  return { body, acknowledgment, registryReference: acknowledgment.registryReference ?? '' };
}

/** Cancels as of today; fails the test if it is refused. */
export async function cancelOn(
  stack: Stack,
  client: string,
  { body, registryReference }: RegisteredCertificate,
): Promise<void> {
  const { status } = await stack.post(client, `/ppai/policies/${registryReference}/cancellation`, {
    externalTransactionId: uniqueNumber('CANCEL'),
    policyNumber: body.policy.policyNumber,
    cocNumber: body.certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'Sold',
  });
  expect(status).toBe(200);
}

/** Code and field of each finding of severity ERROR. */
export function errorsOf({ findings }: Transmitted): string[] {
  return findings
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ code, field }) => `${code} ${field}`);
}
