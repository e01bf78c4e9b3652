import type { ApiContext } from '../context.ts';
import { demandChangeableRecord } from '../edge/demand-record.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';
import { submit } from '../edge/submit.ts';

/** api.md, "POST …/cancellation"; D15. */
export async function cancel(context: ApiContext, request: Admitted<'cancel'>): Promise<Answer> {
  const { body, params, submitter } = request;
  const record = await demandChangeableRecord(context, submitter, params.registryReference);
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
