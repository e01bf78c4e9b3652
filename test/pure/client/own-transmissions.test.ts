import { makeRegistryClient, type RegistryClient } from '../../../client/registry-client.ts';
import { successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  BATCH_EXAMPLE,
  LOOKUP_RESULT_EXAMPLE,
  TRANSMISSIONS_EXAMPLE,
} from '../../../shared/contract/openapi/own-transmission-examples.ts';
import {
  acknowledge,
  CREDENTIALS,
  type FakeRegistry,
  type Reply,
  startFakeRegistry,
} from './fake-registry.ts';

const body = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;

let registry: FakeRegistry;
afterEach(() => registry.close());

async function startWith(reply: Reply): Promise<RegistryClient> {
  registry = await startFakeRegistry({ answer: () => reply });
  return makeRegistryClient({ ...CREDENTIALS, baseUrl: registry.url, retries: 0 });
}

/** Method and target below the API of each request; throws when one is not signed. */
function requested(): string[] {
  return registry.received.map(({ method, target, isSigned }) => {
    if (!isSigned) throw new Error(`${target} is not signed`);
    return `${method} ${target.replace('/api/v1/ppai', '')}`;
  });
}

it('lists with filters and a cursor', async () => {
  const client = await startWith({ status: 200, body: successEnvelope(TRANSMISSIONS_EXAMPLE) });
  expect(await client.listTransmissions()).toMatchObject({ ok: true, data: TRANSMISSIONS_EXAMPLE });
  await client.listTransmissions({
    status: ['ACCEPTED', 'FLAGGED'],
    batch: 'BATCH:2026',
    limit: 5,
  });
  await client.listTransmissions({
    failed: true,
    open: false,
    receivedFrom: '2026-10-01T08:00:00+08:00',
    cursor: 'a-cursor',
  });
  expect(requested()).toEqual([
    'GET /transmissions',
    'GET /transmissions?batch=BATCH%3A2026&limit=5&status=ACCEPTED%2CFLAGGED',
    'GET /transmissions?failed=true&open=false&receivedFrom=2026-10-01T08%3A00%3A00%2B08%3A00&cursor=a-cursor',
  ]);
});

it('looks many up with one request', async () => {
  const client = await startWith({ status: 200, body: successEnvelope(LOOKUP_RESULT_EXAMPLE) });
  const names = { externalTransactionIds: ['ALPHA-2026-000123', 'ALPHA-2026-000999'] };
  expect(await client.lookupTransmissions(names)).toMatchObject({
    ok: true,
    data: LOOKUP_RESULT_EXAMPLE,
  });
  expect(requested()).toEqual(['POST /transmissions/lookup']);
  expect(JSON.parse(registry.received[0]?.body.toString() ?? '')).toEqual(names);
});

it('reads the progress of a batch', async () => {
  const client = await startWith({ status: 200, body: successEnvelope(BATCH_EXAMPLE) });
  expect(await client.readBatch('BATCH:2026')).toMatchObject({ ok: true, data: BATCH_EXAMPLE });
  expect(requested()).toEqual(['GET /batches/BATCH%3A2026']);
});

it('names the batch of whatever it sends', async () => {
  const client = await startWith(acknowledge(201));
  const batch = 'BATCH-2026';
  const reference = 'PPAI-2026-000000001';
  await client.transmit(body, { batch });
  await client.transmitAndWait(body, { batch });
  await client.amend(
    reference,
    { externalTransactionId: 'x', reason: 'y', changes: {} },
    { batch },
  );
  const cancellation = {
    externalTransactionId: 'EXTERNAL-1',
    policyNumber: 'P',
    cocNumber: 'C',
    cancellationEffectiveDate: '2026-10-01',
    reasonCode: 'OTHER',
    reasonText: 'z',
  };
  await client.cancel(reference, cancellation, { batch });
  expect(requested()).toEqual([
    'POST /policies?batch=BATCH-2026',
    'POST /policies?batch=BATCH-2026',
    `POST /policies/${reference}/amendments?batch=BATCH-2026`,
    `POST /policies/${reference}/cancellation?batch=BATCH-2026`,
  ]);
});
