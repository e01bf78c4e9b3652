import { isTerminal, type TransmissionKind } from '../../../shared/contract/enums.ts';
import type { Scenario } from '../../../shared/contract/machine/sandbox/scenario.ts';
import { queueAddFailed, transmissionReceived } from '../../../shared/platform/events.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import {
  findReceipt,
  type Receipt,
  type ReceivedTransmission,
} from '../../../shared/store/intake/receive.ts';
import type { TransmissionView } from '../../../shared/store/intake/transmissions.ts';
import { readToday } from '../../../shared/store/sandbox/registry-day.ts';
import {
  deleteScenario,
  type RecordedScenario,
  recordScenario,
} from '../../../shared/store/sandbox/scenarios.ts';
import type { Submitter } from '../../auth/machine/submitter.ts';
import type { ApiContext } from '../../context.ts';
import type { JsonObject } from '../../http/body/read-json.ts';
import { requestHash } from '../../http/body/request-hash.ts';
import type { Preference } from '../../http/prefer.ts';
import type { Answer } from '../../http/respond.ts';
import { backlogRefusal } from '../../throttle/backlog-limit.ts';
import { viewerOf } from '../viewer.ts';
import { answerEarlier, answerInProgress, answerTerminal } from './answer.ts';

/** The parts of a request that all three submitting endpoints need. */
export interface SubmissionRequest {
  readonly submitter: Submitter;
  readonly requestId: string;
  readonly rawJson: JsonObject;
  /** Not part of the request hash: a replay keeps the name of the first request (D35). */
  readonly query: { readonly batch?: string | undefined };
  readonly unknownFields: readonly string[];
  readonly prefer: Preference;
  /** Like `prefer`, no part of the request's hash: a replay keeps the first scenario (D40). */
  readonly scenario: Scenario | undefined;
  readonly signal: AbortSignal;
}

export interface SubmissionContent {
  readonly kind: TransmissionKind;
  /** The record that it changes; null for a new one. */
  readonly target: { readonly certificateId: string; readonly registryReference: string } | null;
  readonly externalTransactionId: string;
  readonly body: object;
  readonly vehicleCount: number;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly issuingInsurerCode: string | null;
}

/**
 * Records a transmission, wakes the workers, waits and answers (D2, D3, D5). After the commit the transmission is never
 * lost, even if the queue fails or the caller disconnects. The tenant limiter covers the way to the commit.
 */
export async function submit(
  context: ApiContext,
  request: SubmissionRequest,
  content: SubmissionContent,
): Promise<Answer> {
  const { submitter, requestId } = request;
  const receivedAt = context.clock.now();
  const receipt = await context.tenantLimiter.run(submitter.organizationId, () =>
    record(context, request, content, receivedAt),
  );
  if (receipt.outcome !== 'recorded') return answerEarlier(context, request, receipt);
  transmissionReceived(context, {
    transmissionId: receipt.id,
    requestId,
    kind: content.kind,
    organizationCode: submitter.organizationCode,
  });
  const seconds = secondsToWait(context, request);
  // After a repeated insert the transmission may be terminal already; then the row has the answer.
  if (seconds === 0 && !isTerminal(receipt.status)) {
    void wakeWorkers(context, requestId, receipt.id, content);
    return answerInProgress(context, request, { ...content, ...receipt, receivedAt });
  }
  // The wait begins before the workers are woken, so that no completion notice comes too early.
  const [view] = await Promise.all([
    awaitOutcome(context, request, receipt.id, seconds),
    wakeWorkers(context, requestId, receipt.id, content),
  ]);
  return isTerminal(view.status)
    ? answerTerminal(view, request)
    : answerInProgress(context, request, view);
}

/** Commits the transmission as RECEIVED, or returns what is recorded under its external id. @throws {AppError} RATE_LIMITED (D20) */
async function record(
  context: ApiContext,
  { submitter, requestId, rawJson, query, unknownFields, scenario }: SubmissionRequest,
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
    batch: query.batch ?? null,
    receivedAt,
    year: (await readToday(context.db, context.config, receivedAt)).slice(0, 4),
  } as const;
  if (refusal === undefined)
    return scenario?.kind === 'OUTCOME' || scenario?.kind === 'HOLD'
      ? receiveInScenario(context, received, scenario)
      : context.loaders.receive(received);
  // A request that is recorded already adds no work, so it is answered all the same.
  const earlier = await findReceipt(context.db, received);
  if (earlier === undefined) throw refusal;
  return earlier;
}

/** Records the scenario with the transmission (D40). A replay keeps the first scenario and records nothing. */
async function receiveInScenario(
  { db, loaders }: ApiContext,
  received: ReceivedTransmission,
  scenario: RecordedScenario,
): Promise<Receipt> {
  const earlier = await findReceipt(db, received);
  if (earlier !== undefined) return earlier;
  await recordScenario(db, received.id, scenario);
  const receipt = await loaders.receive(received);
  // Of identical requests at the same time, only one is recorded.
  if (receipt.outcome !== 'recorded') await deleteScenario(db, received.id);
  return receipt;
}

/** Best effort, never rejects: the sweeper finds a row whose job was not sent. */
async function wakeWorkers(
  context: ApiContext,
  requestId: string,
  id: string,
  { kind, vehicleCount }: SubmissionContent,
): Promise<void> {
  try {
    await context.loaders.wakeWorkers({ id, requestId, kind, vehicleCount });
  } catch (error) {
    const err = error instanceof Error ? error.message : 'unknown';
    queueAddFailed(context, { transmissions: 1, err });
  }
}

function secondsToWait({ config }: ApiContext, { prefer }: SubmissionRequest): number {
  return prefer.respondAsync ? 0 : (prefer.waitSeconds ?? config.transmitWaitSeconds);
}

/** Returns the row as it is after the wait, terminal or not. */
async function awaitOutcome(
  { waiters, loaders }: ApiContext,
  { signal, submitter }: SubmissionRequest,
  id: string,
  seconds: number,
): Promise<TransmissionView> {
  await waiters.wait(id, seconds * 1_000, signal);
  const view = await loaders.readTransmission({ id, viewer: viewerOf(submitter) });
  if (view === undefined) throw new Error('a recorded transmission is gone');
  return view;
}
