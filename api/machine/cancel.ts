import { makeFinding } from '../../shared/contract/findings.ts';
import { findTextFlaw } from '../../shared/contract/text.ts';
import { normalizeText } from '../../shared/domain/text.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import { makeSchemaError } from '../http/schema/check-schema.ts';
import type { MachineRequest } from './request.ts';
import { submitChange } from './submission/submit-change.ts';

/** api.md, "POST …/cancellation"; D15. */
export async function cancel(
  context: ApiContext,
  request: MachineRequest<'cancel'>,
): Promise<Answer> {
  const { body } = request;
  return submitChange(context, request, {
    kind: 'CANCEL',
    body,
    vehicleCount: 0,
    check: (record) => requireCharacters(body, record),
  });
}

/** A number of an earlier release may contain characters that are refused today. Its record can still be cancelled (D31). */
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
