import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';
import { submitChange } from './submission/submit-change.ts';

/** api.md, "POST …/amendments"; D14. */
export async function amend(
  context: ApiContext,
  request: MachineRequest<'amend'>,
): Promise<Answer> {
  const { body } = request;
  const { add, update } = body.changes.vehicles ?? {};
  const vehicleCount = (add?.length ?? 0) + (update?.length ?? 0);
  return submitChange(context, request, { kind: 'AMEND', body, vehicleCount });
}
