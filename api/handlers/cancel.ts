import { AppError } from '../../shared/contract/errors.ts';
import type { ApiContext } from '../context.ts';
import { findChangeableRecord } from '../edge/find-changeable-record.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';
import { answerKnown, submit } from '../edge/submit.ts';

/** api.md, "POST …/cancellation"; D15. */
export async function cancel(context: ApiContext, request: Admitted<'cancel'>): Promise<Answer> {
  const { body, params, submitter } = request;
  const { registryReference } = params;
  const record = await findChangeableRecord(context, submitter, registryReference);
  if (record instanceof AppError) {
    const { externalTransactionId } = body;
    const asked = { kind: 'CANCEL', registryReference, externalTransactionId } as const;
    return answerKnown(context, request, asked, record);
  }
  return submit(context, request, {
    kind: 'CANCEL',
    target: { certificateId: record.id, registryReference: record.registryReference },
    externalTransactionId: body.externalTransactionId,
    body,
    vehicleCount: 0,
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
    issuingInsurerCode: record.issuingInsurerCode,
  });
}
