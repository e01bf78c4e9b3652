import { AppError } from '../../shared/contract/errors.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './route.ts';
import { findChangeableRecord } from './submission/find-changeable-record.ts';
import { answerKnown, submit } from './submission/submit.ts';

/** api.md, "POST …/amendments"; D14. */
export async function amend(
  context: ApiContext,
  request: MachineRequest<'amend'>,
): Promise<Answer> {
  const { body, params, submitter } = request;
  const { registryReference } = params;
  const record = await findChangeableRecord(context, submitter, registryReference);
  if (record instanceof AppError) {
    const { externalTransactionId } = body;
    const asked = { kind: 'AMEND', registryReference, externalTransactionId } as const;
    return answerKnown(context, request, asked, record);
  }
  const { add, update } = body.changes.vehicles ?? {};
  return submit(context, request, {
    kind: 'AMEND',
    target: { certificateId: record.id, registryReference: record.registryReference },
    externalTransactionId: body.externalTransactionId,
    body,
    vehicleCount: (add?.length ?? 0) + (update?.length ?? 0),
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
    issuingInsurerCode: record.issuingInsurerCode,
  });
}
