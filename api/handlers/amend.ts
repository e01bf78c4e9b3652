import type { ApiContext } from '../context.ts';
import { demandChangeableRecord } from '../edge/demand-record.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';
import { submit } from '../edge/submit.ts';

/** api.md, "POST …/amendments"; D14. */
export async function amend(context: ApiContext, request: Admitted<'amend'>): Promise<Answer> {
  const { body, params, submitter } = request;
  const record = await demandChangeableRecord(context, submitter, params.registryReference);
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
