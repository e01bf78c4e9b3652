import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { makeBody, uniqueNumber } from '../../../env/api/bodies.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import type { Stack } from '../../../env/api/stack.ts';

export interface Registered {
  readonly reference: string;
  readonly body: TransmissionBody;
}

/** Registers and amends records through the API of a test stack, which starts later. */
export function makeAmending(stack: () => Stack) {
  async function register(
    body: TransmissionBody = makeBody(),
    client = 'alpha',
  ): Promise<Registered> {
    const { status, acknowledgment } = await stack().transmit(client, body);
    expect(status).toBe(201);
    return { reference: acknowledgment.registryReference ?? '', body };
  }

  function amend(
    reference: string,
    changes: object,
    { client = 'alpha', ...rest }: { client?: string; [member: string]: unknown } = {},
  ): Promise<TestAnswer> {
    return stack().post(client, `/ppai/policies/${reference}/amendments`, {
      externalTransactionId: uniqueNumber('AMD'),
      reason: 'The insurer corrects the record',
      changes,
      ...rest,
    });
  }
  return { register, amend };
}

export function acknowledgmentOf(answer: TestAnswer): Acknowledgment {
  return answer.envelope.data as unknown as Acknowledgment;
}

export function codesOf(answer: TestAnswer): (string | null)[][] {
  return (answer.envelope.error?.details ?? [])
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ code, field }) => [code, field]);
}
