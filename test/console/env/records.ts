import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { uniqueNumber } from '../../env/api/bodies.ts';
import type { Stack } from '../../env/api/stack.ts';
import { issueToken } from '../../env/records/record-world.ts';

/** Registers a certificate as the insurer alpha. Returns its registry reference. */
export async function register(stack: Stack, body: TransmissionBody): Promise<string> {
  const { registryReference } = await send(stack, '/ppai/policies', body);
  return registryReference ?? '';
}

export async function amend(
  stack: Stack,
  registryReference: string,
  reason: string,
  changes: object,
): Promise<void> {
  const externalTransactionId = uniqueNumber('AMEND');
  const path = `/ppai/policies/${registryReference}/amendments`;
  await send(stack, path, { externalTransactionId, reason, changes });
}

/** Throws when it is refused. With a new token, because the clock may have advanced beyond the end of an earlier one. */
async function send(stack: Stack, path: string, body: object): Promise<Acknowledgment> {
  const { db, clock } = stack.api.context;
  const token = await issueToken(db, stack.client('alpha').clientId, clock.now());
  const headers = { Prefer: 'wait=30' };
  const answer = await stack.send('alpha', { path, body, headers, token });
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  return answer.envelope.data as unknown as Acknowledgment;
}
