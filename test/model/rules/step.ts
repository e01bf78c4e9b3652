import { amend } from './amend.ts';
import { cancel } from './cancel.ts';
import { checkCoverage } from './check-coverage.ts';
import { answerOf, refusal } from './judge.ts';
import { CLIENTS, isVisible, mayTransmit, policyOf } from './organizations.ts';
import { lookUp, readRecord, search } from './reading/read.ts';
import type { Request, SubmittingRequest } from './reading/request.ts';
import { shownTo } from './related.ts';
import type { Answer, ModelRecord, ModelState, ModelTransmission, ReadStates } from './state.ts';
import { type Decided, transmit } from './transmit.ts';

export interface StepOptions {
  /** The registry's date (D8). */
  readonly today: string;
  /** Access to the record was already checked, on receipt. */
  readonly isAdmitted?: boolean;
  /** Order of registration, by the key of a record. Default: the order in the state's list. */
  readonly orderOf?: (record: string) => number;
  /** Reads at other moments. They may only lead to a rejection, which writes nothing. */
  readonly readStates?: Omit<ReadStates, 'state' | 'orderOf'>;
}

/** The answer of the registry in this state. Changes `state` to the next state. */
export function step(state: ModelState, request: Request, options: StepOptions): Answer {
  const organization = CLIENTS[request.client];
  const { today } = options;
  switch (request.op) {
    case 'transmit':
    case 'amend':
    case 'cancel':
      return submit(state, organization, request, options);
    case 'read':
      return readRecord(state, organization, request, today);
    case 'lookup':
      return lookUp(state, organization, request);
    case 'search':
      return search(state, organization, request, today);
    case 'coverage':
      return checkCoverage(state, organization, request, {
        today,
        orderOf: options.orderOf ?? orderIn(state),
      });
    default:
      return request satisfies never;
  }
}

function submit(
  state: ModelState,
  organization: string,
  request: SubmittingRequest,
  options: StepOptions,
): Answer {
  const { isAdmitted = false } = options;
  const malformed = schemaFindings(request.body);
  if (malformed.length > 0) return refusal(422, 'VALIDATION_FAILED', malformed);
  const key = keyOf(request);
  const earlier = state.transmissions.find((one) => one.key === key);
  if (earlier !== undefined) return repeat(state, organization, earlier, request);
  const refused = isAdmitted ? undefined : checkAccess(state, request);
  if (refused !== undefined) return refused;
  const { ack, errorCode } = decide(state, organization, request, options);
  state.transmissions.push({
    key,
    organization,
    insurer:
      request.op === 'transmit'
        ? (request.body.issuingInsurerCode ?? null)
        : recordOf(state, request.target).insurer,
    request: requestText(request),
    ack,
    errorCode,
    about: request.op === 'transmit' ? ack.record : request.target,
  });
  return answerOf(shownTo(state, organization, ack), errorCode);
}

function orderIn({ records }: ModelState): (record: string) => number {
  return (record) => records.findIndex(({ key }) => key === record);
}

/** `organization/externalTransactionId`. */
export function keyOf({ client, body }: SubmittingRequest): string {
  return `${CLIENTS[client]}/${body.externalTransactionId}`;
}

/** D14: refuses an organization that cannot see the record, or that may not transmit for its insurer. */
export function checkAccess(state: ModelState, request: SubmittingRequest): Answer | undefined {
  if (request.op === 'transmit') return undefined;
  const organization = CLIENTS[request.client];
  const record = state.records.find(({ key }) => key === request.target);
  if (record === undefined || !isVisible(state, organization, record))
    return refusal(404, 'NOT_FOUND');
  const { issuanceDate } = policyOf(state, record);
  return mayTransmit(organization, record.insurer, issuanceDate ?? '')
    ? undefined
    : refusal(403, 'FORBIDDEN');
}

function decide(
  state: ModelState,
  organization: string,
  request: SubmittingRequest,
  { today, readStates: others = { atFacts: state, atCovers: state }, orderOf }: StepOptions,
): Decided {
  const readStates = { ...others, state, orderOf: orderOf ?? orderIn(state) };
  switch (request.op) {
    case 'transmit':
      return transmit(readStates, organization, request.body, today);
    case 'amend':
      return amend(readStates, organization, recordOf(state, request.target), request.body, today);
    case 'cancel':
      return cancel(state, organization, recordOf(state, request.target), request.body, today);
    default:
      return request satisfies never;
  }
}

/** D5: the id is known. */
function repeat(
  state: ModelState,
  organization: string,
  earlier: ModelTransmission,
  request: SubmittingRequest,
): Answer {
  if (earlier.request !== requestText(request)) {
    const data = { transmission: earlier.key, status: earlier.ack.status };
    return { status: 409, code: 'IDEMPOTENCY_KEY_REUSED', details: [], data };
  }
  return {
    status: 200,
    code: null,
    details: [],
    data: { ...shownTo(state, organization, earlier.ack), replayed: true },
  };
}

function requestText(request: SubmittingRequest): string {
  return JSON.stringify([
    request.op,
    request.op === 'transmit' ? null : request.target,
    request.body,
  ]);
}

function recordOf(state: ModelState, key: string): ModelRecord {
  const record = state.records.find((one) => one.key === key);
  if (record === undefined) throw new Error('the target is not a record');
  return record;
}

/** A body that violates the schema is not recorded (D6). Covers only the violations that are sent here. */
function schemaFindings(body: SubmittingRequest['body']): string[] {
  const findings: string[] = [];
  if (body.externalTransactionId.length < 8) findings.push('INVALID_FORMAT externalTransactionId');
  if ('vehicles' in body && !Array.isArray(body.vehicles)) findings.push('INVALID_FORMAT vehicles');
  if ('reason' in body && body.reason.trim() === '') findings.push('INVALID_FORMAT reason');
  return findings;
}
