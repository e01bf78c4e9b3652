import { isTerminal, type TransmissionKind } from '../../../shared/contract/enums.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import {
  acknowledgeInProgress,
  type TransmissionHead,
} from '../../../shared/domain/presentation/acknowledge.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';
import { queueAddFailed, transmissionReceived } from '../../../shared/platform/events.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { findReceipt, type Receipt } from '../../../shared/store/intake/receive.ts';
import type { TransmissionView } from '../../../shared/store/intake/transmissions.ts';
import type { Submitter } from '../../auth/machine/submitter.ts';
import type { ApiContext } from '../../context.ts';
import type { JsonObject } from '../../http/body/read-json.ts';
import { requestHash } from '../../http/body/request-hash.ts';
import { type Preference, preferenceApplied } from '../../http/prefer.ts';
import { type Answer, RawJson } from '../../http/respond.ts';
import { backlogRefusal, retryAfterSeconds, untilLetIn } from '../../throttle/backlog-limit.ts';
import { viewerOf } from '../viewer.ts';

/** The parts of a request that all three submitting endpoints need. */
export interface SubmissionRequest {
  readonly submitter: Submitter;
  readonly requestId: string;
  readonly rawJson: JsonObject;
  readonly unknownFields: readonly string[];
  readonly prefer: Preference;
  readonly signal: AbortSignal;
}

export interface SubmissionContent {
  readonly kind: TransmissionKind;
  /** The record it is about; null for a new one. */
  readonly target: { readonly certificateId: string; readonly registryReference: string } | null;
  readonly externalTransactionId: string;
  readonly body: object;
  readonly vehicleCount: number;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly issuingInsurerCode: string | null;
}

/** What the caller of a transmission in progress is told to wait, seconds (api.md, "Limits"). */
const IN_PROGRESS_RETRY_SECONDS = 30;

/**
 * Records, enqueues, waits and answers (D2, D3, D5). After the commit the transmission is never lost, even if the queue fails or
 * the caller disconnects. Organizations share the way to the commit by turns, as in authentication.
 */
export async function submit(
  context: ApiContext,
  request: SubmissionRequest,
  content: SubmissionContent,
): Promise<Answer> {
  const receivedAt = context.clock.now();
  const { organizationId } = request.submitter;
  await untilLetIn(context, organizationId);
  const receipt = await context.turns.run(organizationId, () =>
    record(context, request, content, receivedAt),
  );
  if (receipt.outcome !== 'recorded') return answerEarlier(context, request, receipt);
  transmissionReceived(context, {
    transmissionId: receipt.id,
    requestId: request.requestId,
    kind: content.kind,
    organizationCode: request.submitter.organizationCode,
  });
  const seconds = secondsToWait(context, request);
  // Of a receipt that had to be asked for again the outcome may be known: then the row has more to say than a head.
  if (seconds === 0 && !isTerminal(receipt.status)) {
    void wakeWorkers(context, request, receipt.id, content);
    return answerInProgress(context, request, { ...content, ...receipt, receivedAt });
  }
  // Waiting begins before the wake-up, so that no notice comes too early to be heard.
  const [view] = await Promise.all([
    awaitOutcome(context, request, receipt.id, seconds),
    wakeWorkers(context, request, receipt.id, content),
  ]);
  return isTerminal(view.status)
    ? firstAnswer(view, appliedHeaders(request.prefer))
    : answerInProgress(context, request, view);
}

/**
 * For a request about a record that isn't theirs to change (any more): what the caller knows already it is told
 * again (D5). Throws `refusal` when the id is new.
 */
export async function answerKnown(
  context: ApiContext,
  request: SubmissionRequest,
  asked: {
    readonly kind: TransmissionKind;
    readonly registryReference: string;
    readonly externalTransactionId: string;
  },
  refusal: AppError,
): Promise<Answer> {
  const { submitter, rawJson } = request;
  const receipt = await findReceipt(context.db, {
    organizationId: submitter.organizationId,
    externalTransactionId: asked.externalTransactionId,
    requestHash: requestHash(asked.kind, asked.registryReference, rawJson),
  });
  if (receipt === undefined) throw refusal;
  return answerEarlier(context, request, receipt);
}

async function record(
  context: ApiContext,
  { submitter, requestId, rawJson, unknownFields }: SubmissionRequest,
  content: SubmissionContent,
  receivedAt: Date,
): Promise<Receipt> {
  const refusal = await backlogRefusal(context, submitter.organizationId);
  const received = {
    id: newId(),
    organizationId: submitter.organizationId,
    apiClientId: submitter.apiClientId,
    externalTransactionId: content.externalTransactionId,
    kind: content.kind,
    channel: 'API',
    actor: submitter.clientName,
    requestHash: requestHash(content.kind, content.target?.registryReference ?? null, rawJson),
    bodyJson: JSON.stringify(content.body),
    unknownFields,
    vehicleCount: content.vehicleCount,
    policyNumber: content.policyNumber,
    cocNumber: content.cocNumber,
    issuingInsurerCode: content.issuingInsurerCode,
    targetCertificateId: content.target?.certificateId ?? null,
    requestId,
    receivedAt,
    year: calendarDate(receivedAt, context.config.registryTimeZone).slice(0, 4),
  } as const;
  if (refusal === undefined) return context.roundTrips.receive(received);
  // What is known already is answered all the same: it adds no work.
  const earlier = await findReceipt(context.db, received);
  if (earlier === undefined) throw refusal;
  return earlier;
}

/** Best effort, never rejects: what the queue misses, the sweeper sends. */
async function wakeWorkers(
  context: ApiContext,
  { requestId }: SubmissionRequest,
  id: string,
  { kind, vehicleCount }: SubmissionContent,
): Promise<void> {
  try {
    await context.roundTrips.wakeWorkers({ id, requestId, kind, vehicleCount });
  } catch (error) {
    const err = error instanceof Error ? error.message : 'unknown';
    queueAddFailed(context, { transmissions: 1, err });
  }
}

function secondsToWait({ config }: ApiContext, { prefer }: SubmissionRequest): number {
  return prefer.respondAsync ? 0 : (prefer.waitSeconds ?? config.transmitWaitSeconds);
}

async function awaitOutcome(
  context: ApiContext,
  { signal, submitter }: SubmissionRequest,
  id: string,
  seconds: number,
): Promise<TransmissionView> {
  await context.waiters.wait(id, seconds * 1_000, signal);
  const view = await context.roundTrips.readTransmission({ id, viewer: viewerOf(submitter) });
  if (view === undefined) throw new Error('a recorded transmission is gone');
  return view;
}

async function answerInProgress(
  context: ApiContext,
  { prefer, submitter }: SubmissionRequest,
  head: TransmissionHead & Pick<TransmissionView, 'status'>,
): Promise<Answer> {
  return {
    status: 202,
    data: acknowledgeInProgress(head, head.status),
    headers: {
      ...appliedHeaders(prefer),
      Location: `${API_BASE}/ppai/transmissions/${head.transmissionReference}`,
      'Retry-After': String(await retryAfterSeconds(context, submitter.organizationId)),
    },
  };
}

export function appliedHeaders(prefer: Preference): Record<string, string> {
  const applied = preferenceApplied(prefer);
  return applied === undefined ? {} : { 'Preference-Applied': applied };
}

/** The answer to the request that recorded it: 201 or 200, or the error that the rejection names. */
function firstAnswer(view: TransmissionView, headers: Record<string, string>): Answer {
  const { acknowledgmentJson, errorCode, kind, status } = view;
  if (acknowledgmentJson === null) throw new Error('a terminal transmission has no acknowledgment');
  if (status !== 'REJECTED') {
    return {
      status: kind === 'CREATE' ? 201 : 200,
      data: new RawJson(acknowledgmentJson),
      headers,
    };
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

/** The id is known: of another request, or of this one (D5). */
async function answerEarlier(
  context: ApiContext,
  request: SubmissionRequest,
  receipt: Receipt,
): Promise<Answer> {
  if (receipt.outcome === 'repeated') return replay(context, request, receipt);
  throw new AppError('IDEMPOTENCY_KEY_REUSED', 'same external id, other request', {
    data: conflictOf(receipt),
  });
}

/** An identical request again: in progress, or the stored acknowledgment, also of a rejection (D5). */
async function replay(
  context: ApiContext,
  { submitter }: SubmissionRequest,
  receipt: Receipt,
): Promise<Answer> {
  const { id } = receipt;
  const view = await context.roundTrips.readTransmission({ id, viewer: viewerOf(submitter) });
  const acknowledgmentJson = view?.acknowledgmentJson ?? null;
  if (acknowledgmentJson === null) {
    throw new AppError('TRANSMISSION_IN_PROGRESS', 'identical request while in progress', {
      data: conflictOf({ ...receipt, status: view?.status ?? receipt.status }),
      headers: { 'Retry-After': String(IN_PROGRESS_RETRY_SECONDS) },
    });
  }
  const acknowledgment = JSON.parse(acknowledgmentJson) as Acknowledgment;
  return { status: 200, data: { ...acknowledgment, replayed: true } };
}

function conflictOf({ transmissionReference, status }: Receipt) {
  return { transmissionReference, status };
}
