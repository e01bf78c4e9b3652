import { TRANSMISSION_STATUSES } from '../../../../shared/contract/enums.ts';
import { fillBacklog, reportBusyWorker } from '../../../env/api/backlog.ts';
import { makeBody, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { bareVehicle, idsOf, readBatch, readList, refusalOf, refusedAt } from './own.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.stop());

const none = Object.fromEntries(TRANSMISSION_STATUSES.map((status) => [status, 0]));
const inBatch = (batch: string) => `/ppai/policies?batch=${encodeURIComponent(batch)}`;

describe('a batch (D35)', () => {
  it('counts its transmissions by status and error code, and does not count replays', async () => {
    const batch = uniqueNumber('BATCH');
    const accepted = makeBody();
    await stack.post('alpha', inBatch(batch), accepted);
    for (let sent = 0; sent < 2; sent += 1)
      await stack.post('alpha', inBatch(batch), makeBody({ vehicles: [bareVehicle()] }));
    const insured = makeBody({ vehicles: [...accepted.vehicles] });
    await stack.post('alpha', inBatch(batch), insured);
    const replays = [accepted, insured].map((body) => stack.post('alpha', inBatch(batch), body));
    for (const { envelope } of await Promise.all(replays))
      expect(envelope.data).toMatchObject({ replayed: true });

    const { items } = await readList(stack, 'alpha', `batch=${batch}`);
    expect(await readBatch(stack, 'alpha', batch)).toEqual({
      batch,
      total: 4,
      byStatus: { ...none, ACCEPTED: 1, REJECTED: 3 },
      byErrorCode: { VALIDATION_FAILED: 2, VEHICLE_ALREADY_INSURED: 1 },
      firstReceivedAt: items.map(({ receivedAt }) => receivedAt).sort()[0],
      lastCompletedAt: items.map(({ completedAt }) => String(completedAt)).sort()[3],
      estimatedCompletionAt: null,
    });
  });

  it('does not change when a replay names a batch, because the name is not part of the request', async () => {
    const [first, second] = [uniqueNumber('BATCH'), uniqueNumber('BATCH')];
    const [named, unnamed] = [makeBody(), makeBody()];
    await stack.post('alpha', inBatch(first), named);
    await stack.post('alpha', '/ppai/policies', unnamed);
    for (const body of [named, unnamed]) {
      const { status, envelope } = await stack.post('alpha', inBatch(second), body);
      expect([status, envelope.data?.['replayed']]).toEqual([200, true]);
    }
    expect((await readBatch(stack, 'alpha', first)).total).toBe(1);
    expect((await stack.get('alpha', `/ppai/batches/${second}`)).status).toBe(404);
  });

  it('includes amendments and cancellations', async () => {
    const batch = uniqueNumber('BATCH');
    const body = makeBody();
    const { acknowledgment } = await stack.transmit('alpha', body);
    const record = `/ppai/policies/${acknowledgment.registryReference}`;
    const amendment = {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'A test.',
      changes: { policy: { remarks: 'amended' } },
    };
    const cancellation = {
      externalTransactionId: uniqueNumber('CANCEL'),
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: body.certificate.effectiveDate,
      reasonCode: 'OTHER',
      reasonText: 'A test.',
    };
    await stack.post('alpha', `${record}/amendments?batch=${batch}`, amendment);
    await stack.post('alpha', `${record}/cancellation?batch=${batch}`, cancellation);
    const { items } = await readList(stack, 'alpha', `batch=${batch}`);
    expect(items.map(({ kind, status }) => [kind, status])).toEqual([
      ['CANCEL', 'ACCEPTED'],
      ['AMEND', 'ACCEPTED'],
    ]);
  });

  it.each(['1234567', 'x'.repeat(65), 'with space', 'Ñ2345678', 'a/b/c/d/e', ''])(
    'cannot have the name %j, and nothing is recorded',
    async (batch) => {
      const body = makeBody();
      expect(refusalOf(await stack.post('alpha', inBatch(batch), body))).toEqual(
        refusedAt('batch'),
      );
      expect(idsOf(await readList(stack, 'alpha'))).toEqual([]);
    },
  );

  it('belongs to its organization: it counts only transmissions of the caller', async () => {
    const batch = uniqueNumber('BATCH');
    await stack.post('alpha', inBatch(batch), makeBody());
    const foreign = await stack.get('bravo', `/ppai/batches/${batch}`);
    const unknown = await stack.get('bravo', `/ppai/batches/${uniqueNumber('BATCH')}`);
    const malformed = await stack.get('bravo', '/ppai/batches/short');
    for (const answer of [foreign, unknown, malformed])
      expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    await stack.post('bravo', inBatch(batch), makeBody({ issuingInsurerCode: 'INS-BRAVO' }));
    expect((await readBatch(stack, 'bravo', batch)).total).toBe(1);
  });

  it('needs the scope ppai:read', async () => {
    const answer = await stack.get('verifier', '/ppai/batches/BATCH-2026');
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

describe('the estimate of a batch', () => {
  const batch = 'BATCH-ESTIMATED';
  const secondsLeft = async (client = 'alpha') => {
    const { estimatedCompletionAt } = await readBatch(stack, client, batch);
    if (estimatedCompletionAt === null) return null;
    return Math.round((Date.parse(estimatedCompletionAt) - Date.now()) / 1_000);
  };
  const post = async () => {
    await stack.stopWorkers();
    await stack.post('alpha', inBatch(batch), makeBody(), 'respond-async');
  };

  it('is based on all waiting transmissions of the organization and the rate of the workers', async () => {
    await post();
    // More work than the half minute to which Retry-After is limited.
    await fillBacklog(stack.ownerDb, 'INS-ALPHA', 9_999, { kind: 'CREATE', ageSeconds: 10 });
    await reportBusyWorker(stack.api.context.db, 100);
    const seconds = await secondsLeft();
    expect(seconds).toBeGreaterThanOrEqual(98);
    expect(seconds).toBeLessThanOrEqual(101);
  });

  it('is null while no worker runs', async () => {
    await post();
    await stack.api.context.db.$executeRaw`DELETE FROM worker_processes`;
    expect(await secondsLeft()).toBeNull();
    expect(await readBatch(stack, 'alpha', batch)).toMatchObject({
      byStatus: { ...none, RECEIVED: 1 },
      lastCompletedAt: null,
    });
  });

  it('is null if only parked transmissions are left', async () => {
    await post();
    await reportBusyWorker(stack.api.context.db, 100);
    await stack.api.context.db.$executeRaw`UPDATE transmissions SET parked_at = now()`;
    expect(await secondsLeft()).toBeNull();
  });
});
