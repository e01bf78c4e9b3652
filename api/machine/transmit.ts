import { readSubmission } from '../../shared/domain/registration/submission.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';
import { submit } from './submission/submit.ts';

/** api.md, "POST /api/v1/ppai/policies". */
export async function transmit(
  context: ApiContext,
  request: MachineRequest<'transmit'>,
): Promise<Answer> {
  const { body } = request;
  const { policy, certificate, issuingInsurerCode } = readSubmission({ ...body, vehicles: [] });
  return submit(context, request, {
    kind: 'CREATE',
    target: null,
    externalTransactionId: body.externalTransactionId,
    body,
    vehicleCount: body.vehicles.length,
    policyNumber: policy.policyNumber,
    cocNumber: certificate.cocNumber,
    issuingInsurerCode,
  });
}
