import type { SignedRequest, TestAnswer } from '../env/api-env.ts';
import { today, uniqueNumber } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';
import { registerOn } from '../worker/registered-certificate.ts';

const OWNERS = { alpha: 'INS-ALPHA', bravo: 'INS-BRAVO', charlie: 'INS-CHARLIE' } as const;
const CALLERS = ['alpha', 'bravo', 'charlie', 'mgt-one', 'dormant'] as const;
const PAIRS = Object.keys(OWNERS).flatMap((owner) =>
  CALLERS.filter((caller) => caller !== owner).map((caller) => [caller, owner] as const),
);
const ABSENT = { record: 'PPAI-2026-999999999', transmission: 'PPAI-TX-2026-999999999' };

interface References {
  readonly record: string;
  readonly transmission: string;
  readonly externalId: string;
}

let stack: Stack;
const owned = new Map<string, References>();
beforeAll(async () => {
  stack = await startStack();
  for (const [owner, issuingInsurerCode] of Object.entries(OWNERS)) {
    const { body, acknowledgment, registryReference } = await registerOn(stack, owner, {
      issuingInsurerCode,
    });
    owned.set(owner, {
      record: registryReference,
      transmission: acknowledgment.transmissionReference,
      externalId: body.externalTransactionId,
    });
  }
});
afterAll(() => stack.stop());

function requestsAbout({ record, transmission, externalId }: References): SignedRequest[] {
  const policies = `/ppai/policies/${record}`;
  return [
    { path: policies },
    { path: `/ppai/transmissions/${transmission}` },
    { path: `/ppai/transmissions/${externalId}` },
    {
      path: `${policies}/amendments`,
      body: {
        externalTransactionId: uniqueNumber('OTHER'),
        reason: 'mine now',
        changes: { policy: { remarks: 'mine' } },
      },
    },
    {
      path: `${policies}/cancellation`,
      body: {
        externalTransactionId: uniqueNumber('OTHER'),
        policyNumber: 'P',
        cocNumber: 'C',
        cancellationEffectiveDate: today(),
        reasonCode: 'OTHER',
        reasonText: 'mine now',
      },
    },
  ];
}

/** All that tells two answers apart but the request's own id and what counts up with every request. */
function essenceOf({ status, headers, envelope }: TestAnswer) {
  const { requestId: _own, ...error } = envelope.error ?? {};
  return { status, error, data: envelope.data, headers: Object.keys(headers).sort() };
}

it.each(PAIRS)(
  '%s is told of what is the business of %s what is told of nothing',
  async (caller, owner) => {
    const theirs = owned.get(owner);
    if (theirs === undefined) throw new Error(`${owner} has no record`);
    const nothing = { ...ABSENT, externalId: uniqueNumber('ABSENT') };
    const absent = requestsAbout(nothing);
    for (const [index, request] of requestsAbout(theirs).entries()) {
      const other = absent[index] ?? request;
      const [told, expected] = [await stack.send(caller, request), await stack.send(caller, other)];
      expect(expected.status).toBe(404);
      expect({ path: request.path, ...essenceOf(told) }).toEqual({
        path: request.path,
        ...essenceOf(expected),
      });
    }
  },
);
