import { isTerminal } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { acknowledgeInProgress } from '../../shared/domain/presentation/acknowledge.ts';
import type { TransmissionView, Viewer } from '../../shared/store/intake/transmissions.ts';
import type { ApiContext } from '../context.ts';
import { preferenceHeaders } from '../http/prefer.ts';
import { type Answer, RawJson } from '../http/respond.ts';
import { retryAfterSeconds } from '../throttle/backlog-limit.ts';
import type { MachineRequest } from './request.ts';
import { viewerOf } from './viewer.ts';

/** api.md, "GET /api/v1/ppai/transmissions/{…}"; D4: 200 for every status, held while `Prefer: wait` lasts. */
export async function readTransmission(
  context: ApiContext,
  { params, prefer, submitter, signal }: MachineRequest<'readTransmission'>,
): Promise<Answer> {
  const viewer = viewerOf(submitter);
  const found = await context.loaders.findTransmission({
    referenceOrExternalId: params.transmissionReferenceOrExternalId,
    viewer,
  });
  if (found === undefined) throw new AppError('NOT_FOUND', 'no such transmission is visible');
  const headers = preferenceHeaders({ ...prefer, respondAsync: false });
  const view = await waitIfAsked(context, found, viewer, prefer.waitSeconds ?? 0, signal);
  if (view.acknowledgmentJson !== null) {
    const data = new RawJson(view.acknowledgmentJson);
    return { status: 200, data, headers, hasETag: true };
  }
  const seconds = await retryAfterSeconds(context, view.organizationId);
  return {
    status: 200,
    data: acknowledgeInProgress(view, view.status),
    headers: { ...headers, 'Retry-After': String(seconds) },
  };
}

async function waitIfAsked(
  context: ApiContext,
  found: TransmissionView,
  viewer: Viewer,
  seconds: number,
  signal: AbortSignal,
): Promise<TransmissionView> {
  if (seconds === 0 || isTerminal(found.status)) return found;
  await context.waiters.wait(found.id, seconds * 1_000, signal);
  return (await context.loaders.readTransmission({ id: found.id, viewer })) ?? found;
}
