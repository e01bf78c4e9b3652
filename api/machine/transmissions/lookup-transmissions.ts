import type { LookupResult } from '../../../shared/contract/machine/transmissions/lookup.ts';
import type { TransmissionSummary } from '../../../shared/contract/machine/transmissions/summary.ts';
import {
  findByExternalIds,
  findByReferences,
} from '../../../shared/store/own-transmissions/lookup.ts';
import type { ApiContext } from '../../context.ts';
import type { Answer } from '../../http/respond.ts';
import type { MachineRequest } from '../request.ts';

/** D36. The schema demands one of the two lists of names. */
export async function lookupTransmissions(
  { db }: ApiContext,
  { body, submitter }: MachineRequest<'lookupTransmissions'>,
): Promise<Answer> {
  const { organizationId } = submitter;
  const { externalTransactionIds = [], transmissionReferences = [] } = body;
  const byId = await findByExternalIds(db, organizationId, externalTransactionIds);
  const byReference = await findByReferences(db, organizationId, transmissionReferences);
  const items = [
    ...externalTransactionIds.map((externalTransactionId) => ({
      externalTransactionId,
      ...makeResult(byId.get(externalTransactionId)),
    })),
    ...transmissionReferences.map((transmissionReference) => ({
      transmissionReference,
      ...makeResult(byReference.get(transmissionReference)),
    })),
  ];
  return { status: 200, data: { items } satisfies LookupResult };
}

function makeResult(transmission: TransmissionSummary | undefined) {
  return { found: transmission !== undefined, transmission: transmission ?? null };
}
