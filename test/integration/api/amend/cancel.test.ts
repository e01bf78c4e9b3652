import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeBody, makeCancellation, today, uniqueNumber } from '../../../env/api/bodies.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { acknowledgmentOf, codesOf, makeAmending, type Registered } from './amending.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const { register, amend } = makeAmending(() => stack);

describe('a cancellation', () => {
  function cancel(
    { reference, body }: Registered,
    members: object = {},
    client = 'alpha',
  ): Promise<TestAnswer> {
    return stack.post(client, `/ppai/policies/${reference}/cancellation`, {
      ...makeCancellation(body),
      ...members,
    });
  }

  it('ends the record at once, keeps its version and frees its vehicles', async () => {
    const registered = await register();
    const answer = await cancel(registered);
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer)).toMatchObject({
      kind: 'CANCEL',
      status: 'ACCEPTED',
      coverageStatus: 'CANCELLED',
      version: 1,
      registryReference: registered.reference,
    });
    const elsewhere = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: registered.body.vehicles }),
    );
    expect(elsewhere.status).toBe(201);
  });

  it('is final: another amendment or cancellation is RECORD_CANCELLED', async () => {
    const registered = await register();
    await cancel(registered);
    const again = await cancel(registered);
    expect([again.status, again.envelope.error?.code]).toEqual([422, 'RECORD_CANCELLED']);
    const amended = await amend(registered.reference, { policy: { remarks: 'x' } });
    expect([amended.status, amended.envelope.error?.code]).toEqual([422, 'RECORD_CANCELLED']);
  });

  it('does not free the policy and certificate number', async () => {
    const registered = await register();
    await cancel(registered);
    const again = await stack.transmit('alpha', {
      ...registered.body,
      externalTransactionId: uniqueNumber('EXT'),
    });
    expect(again.errorCode).toBe('DUPLICATE_TRANSMISSION');
  });

  it.each([
    ['another policy number', { policyNumber: 'OTHER' }, 'RECORD_MISMATCH', 'policyNumber'],
    ['another certificate number', { cocNumber: 'OTHER' }, 'RECORD_MISMATCH', 'cocNumber'],
    [
      'a date after today',
      { cancellationEffectiveDate: addDays(today(), 1) },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'a date before issuance',
      { cancellationEffectiveDate: addDays(today(), -1) },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    [
      'an impossible date',
      { cancellationEffectiveDate: '2026-02-30' },
      'VALIDATION_FAILED',
      'cancellationEffectiveDate',
    ],
    ['an unknown reason', { reasonCode: 'BORED' }, 'VALIDATION_FAILED', 'reasonCode'],
    ['an empty policy number', { policyNumber: ' ' }, 'VALIDATION_FAILED', 'policyNumber'],
  ])('with %s is refused', async (_what, members, code, field) => {
    const answer = await cancel(await register(), members);
    expect([answer.status, answer.envelope.error?.code]).toEqual([422, code]);
    expect(codesOf(answer).map(([, at]) => at)).toContain(field);
  });

  it('takes effect before or after each concurrent amendment, never in between', async () => {
    const registered = await register();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        amend(registered.reference, { policy: { remarks: uniqueNumber('R') } }),
      ),
      cancel(registered),
      ...Array.from({ length: 5 }, () =>
        amend(registered.reference, { policy: { remarks: uniqueNumber('R') } }),
      ),
    ]);
    const amended = answers.filter(({ status }) => status === 200).length - 1;
    const refused = answers.filter(({ envelope }) => envelope.error?.code === 'RECORD_CANCELLED');
    expect(amended + refused.length).toBe(10);
    const record = await stack.api.context.db.certificate.findUniqueOrThrow({
      where: { registryReference: registered.reference },
    });
    expect(record).toMatchObject({ lifecycle: 'CANCELLED', currentVersion: amended + 1 });
  });
});
