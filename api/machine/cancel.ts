import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import { findTextFlaw } from '../../shared/contract/text.ts';
import { normalizeText } from '../../shared/domain/text.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import { makeSchemaError } from '../http/schema/check-schema.ts';
import type { MachineRequest } from './route.ts';
import { findChangeableRecord } from './submission/find-changeable-record.ts';
import { answerKnown, submit } from './submission/submit.ts';

/** api.md, "POST …/cancellation"; D15. */
export async function cancel(
  context: ApiContext,
  request: MachineRequest<'cancel'>,
): Promise<Answer> {
  const { body, params, submitter } = request;
  const { registryReference } = params;
  const record = await findChangeableRecord(context, submitter, registryReference);
  if (record instanceof AppError) {
    const { externalTransactionId } = body;
    const asked = { kind: 'CANCEL', registryReference, externalTransactionId } as const;
    return answerKnown(context, request, asked, record);
  }
  requireCharacters(body, record);
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

/** A number of an earlier release may hold characters that none may have today: its record can be cancelled all the same (D31). */
function requireCharacters(
  body: MachineRequest<'cancel'>['body'],
  record: { readonly policyNumber: string; readonly cocNumber: string },
): void {
  const findings = (['policyNumber', 'cocNumber'] as const).flatMap((name) => {
    const flaw = findTextFlaw(body[name], { isVisible: true });
    if (flaw === undefined || normalizeText(body[name]) === record[name]) return [];
    return makeFinding('INVALID_FORMAT', name, flaw);
  });
  if (findings.length > 0) throw makeSchemaError(findings);
}
