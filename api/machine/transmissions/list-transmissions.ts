import { listOwnTransmissions } from '../../../shared/store/own-transmissions/list.ts';
import type { ApiContext } from '../../context.ts';
import type { Answer } from '../../http/respond.ts';
import type { MachineRequest } from '../request.ts';

/** D35. @throws {AppError} VALIDATION_FAILED for a cursor that does not belong to this list */
export async function listTransmissions(
  { db }: ApiContext,
  { query, submitter }: MachineRequest<'listTransmissions'>,
): Promise<Answer> {
  const page = await db.$transaction((tx) =>
    listOwnTransmissions(tx, submitter.organizationId, query),
  );
  return { status: 200, data: page };
}
