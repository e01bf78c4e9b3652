import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { releaseForRetry } from '../../../shared/store/intake/release.ts';
import { makeBody } from '../../env/api/bodies.ts';
import type { Stack } from '../../env/api/stack.ts';
import { issueToken } from '../../env/records/record-world.ts';

/** Transmits as a demonstration client, with a new token, because the clock of the tests may have advanced beyond the end of an earlier one. */
export async function transmit(
  stack: Stack,
  client: string,
  body: object,
  prefer?: string,
): Promise<Acknowledgment> {
  const { db, clock } = stack.api.context;
  const token = await issueToken(db, stack.client(client).clientId, clock.now());
  const headers = prefer === undefined ? {} : { headers: { prefer } };
  const answer = await stack.send(client, { path: '/ppai/policies', body, token, ...headers });
  if (answer.envelope.data === null) throw new Error(`refused: ${answer.text}`);
  return answer.envelope.data as unknown as Acknowledgment;
}

/** Receives a transmission, for a stack without workers, and parks it as after its last attempt. Returns its reference. */
export async function park(
  stack: Stack,
  client: 'alpha' | 'bravo',
  reason: string,
): Promise<string> {
  const issuingInsurerCode = client === 'bravo' ? 'INS-BRAVO' : 'INS-ALPHA';
  const body = makeBody({ issuingInsurerCode });
  const { transmissionReference } = await transmit(stack, client, body, 'respond-async');
  const { db } = stack.api.context;
  const { id } = await db.transmission.update({
    where: { transmissionReference },
    data: { status: 'VALIDATING', fence: 7, attempts: 10, failures: 9 },
  });
  await releaseForRetry(db, { id, fence: 7, reason, retryInSeconds: undefined });
  return transmissionReference;
}

/** Adds copies of a parked transmission, each with its own ids. */
export async function copyParked(stack: Stack, reference: string, copies: number): Promise<void> {
  await stack.api.context.db.$executeRaw`
    INSERT INTO transmissions
    SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'sequence', 1000000 + n,
      'transmission_reference', 'PPAI-TX-COPY-' || n, 'external_transaction_id', 'COPY-' || n))).*
    FROM transmissions t, generate_series(1, ${copies}::int) AS n
    WHERE t.transmission_reference = ${reference}`;
}
