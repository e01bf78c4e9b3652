import type { BatchStatus } from '../../../../shared/contract/machine/transmissions/batch.ts';
import type { TransmissionPage } from '../../../../shared/contract/machine/transmissions/list.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import type { Stack } from '../../../env/api/stack.ts';

/** Status, error code and the fields of the findings of an answer. */
export function refusalOf({ status, envelope }: TestAnswer) {
  return {
    status,
    code: envelope.error?.code,
    fields: (envelope.error?.details ?? []).map(({ field }) => field),
  };
}

export const refusedAt = (field: string | null) => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  fields: [field],
});

/** Reads the list of the client's own transmissions. Throws if the list is refused. */
export async function readList(
  stack: Stack,
  client: string,
  query = '',
): Promise<TransmissionPage> {
  const answer = await stack.get(client, `/ppai/transmissions${query === '' ? '' : `?${query}`}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.envelope.data as unknown as TransmissionPage;
}

export const idsOf = ({ items }: TransmissionPage): string[] =>
  items.map(({ externalTransactionId }) => externalTransactionId);

/** Reads the progress of a batch. Throws if there is none. */
export async function readBatch(stack: Stack, client: string, batch: string): Promise<BatchStatus> {
  const answer = await stack.get(client, `/ppai/batches/${batch}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.envelope.data as unknown as BatchStatus;
}

/** A vehicle without the four values that level 1 requires of it. */
export const bareVehicle = () =>
  makePlainVehicle({ plateNumber: '', mvFileNumber: '', engineNumber: '', chassisNumber: '' });
