import { AppError } from '../../../shared/contract/errors.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import {
  acknowledgeInProgress,
  type TransmissionHead,
} from '../../../shared/domain/presentation/acknowledge.ts';
import type { Receipt } from '../../../shared/store/intake/receive.ts';
import type { TransmissionView } from '../../../shared/store/intake/transmissions.ts';
import type { Submitter } from '../../auth/machine/submitter.ts';
import type { ApiContext } from '../../context.ts';
import { type Preference, preferenceHeaders } from '../../http/prefer.ts';
import { type Answer, RawJson } from '../../http/respond.ts';
import { retryAfterSeconds } from '../../throttle/backlog-limit.ts';
import { viewerOf } from '../viewer.ts';

/** Retry-After for a repetition of a request that is still in progress (api.md, "Limits"). */
const IN_PROGRESS_RETRY_SECONDS = 30;

/** The request that asks for the answer. */
interface Asking {
  readonly submitter: Submitter;
  readonly prefer: Preference;
}

/** 202: the transmission is recorded, and its result is not known yet (D3). */
export async function answerInProgress(
  context: ApiContext,
  { submitter, prefer }: Asking,
  head: TransmissionHead & Pick<TransmissionView, 'status'>,
): Promise<Answer> {
  return {
    status: 202,
    data: acknowledgeInProgress(head, head.status),
    headers: {
      ...preferenceHeaders(prefer),
      Location: `${API_BASE}/ppai/transmissions/${head.transmissionReference}`,
      'Retry-After': String(await retryAfterSeconds(context, submitter.organizationId)),
    },
  };
}

/** The answer to the request that recorded a transmission which is now terminal. @throws {AppError} for a rejection, its error */
export function answerTerminal(view: TransmissionView, { prefer }: Asking): Answer {
  const { acknowledgmentJson, errorCode, kind, status } = view;
  if (acknowledgmentJson === null) throw new Error('a terminal transmission has no acknowledgment');
  const headers = preferenceHeaders(prefer);
  if (status !== 'REJECTED') {
    const data = new RawJson(acknowledgmentJson);
    return { status: kind === 'CREATE' ? 201 : 200, data, headers };
  }
  if (errorCode === null) throw new Error('a rejected transmission has no code');
  const acknowledgment = JSON.parse(acknowledgmentJson) as Acknowledgment;
  const { errors, warnings } = acknowledgment;
  const details = [...errors, ...warnings].sort((one, other) => one.level - other.level);
  throw new AppError(errorCode, 'the transmission was rejected', {
    data: acknowledgment,
    details,
    headers,
  });
}

/**
 * The answer to a request whose external id is recorded already: for the same request its acknowledgment, also of a
 * rejection (D5).
 * @throws {AppError} IDEMPOTENCY_KEY_REUSED for another request, TRANSMISSION_IN_PROGRESS
 */
export async function answerEarlier(
  { loaders }: ApiContext,
  { submitter }: Pick<Asking, 'submitter'>,
  receipt: Receipt,
): Promise<Answer> {
  const { id, transmissionReference, outcome } = receipt;
  if (outcome === 'reused') {
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'same external id, other request', {
      data: { transmissionReference, status: receipt.status },
    });
  }
  const view = await loaders.readTransmission({ id, viewer: viewerOf(submitter) });
  if (view === undefined || view.acknowledgmentJson === null) {
    throw new AppError('TRANSMISSION_IN_PROGRESS', 'identical request while in progress', {
      data: { transmissionReference, status: view?.status ?? receipt.status },
      headers: { 'Retry-After': String(IN_PROGRESS_RETRY_SECONDS) },
    });
  }
  const acknowledgment = JSON.parse(view.acknowledgmentJson) as Acknowledgment;
  return { status: 200, data: { ...acknowledgment, replayed: true } };
}
