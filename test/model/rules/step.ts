import { amend } from './amend.ts';
import { cancel } from './cancel.ts';
import { checkCoverage } from './check-coverage.ts';
import { answerOf, refusal } from './judge.ts';
import { CLIENTS, isVisible, mayTransmit, policyOf } from './organizations.ts';
import { lookUp, readRecord, search } from './reading/read.ts';
import type { Request, SubmittingRequest } from './reading/request.ts';
import { shownTo } from './related.ts';
import type { Answer, Looks, ModelRecord, ModelState, ModelTransmission } from './state.ts';
import { type Decided, transmit } from './transmit.ts';

export interface StepOptions {
  /** The registry's date (D8). */
  readonly today: string;
  /** The gate was passed before: whether the record is visible and theirs to change is looked at on receipt. */
  readonly isAdmitted?: boolean;
  /** Order of registration, by the key of a record; that of the state's list where it is the only one possible. */
  readonly orderOf?: (record: string) => number;
  /** Looks at other moments. Only a rejection may follow from them, for nothing is written then. */
  readonly looks?: Omit<Looks, 'state' | 'orderOf'>;
}

/** What the registry answers in this state; the state becomes the one after. */
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
  const refused = isAdmitted ? undefined : gate(state, request);
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

/** D14: who doesn't see the record, and who sees it but may not transmit for its insurer. */
export function gate(state: ModelState, request: SubmittingRequest): Answer | undefined {
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
  { today, looks: others = { atFacts: state, atCovers: state }, orderOf }: StepOptions,
): Decided {
  const looks = { ...others, state, orderOf: orderOf ?? orderIn(state) };
  switch (request.op) {
    case 'transmit':
      return transmit(looks, organization, request.body, today);
    case 'amend':
      return amend(looks, organization, recordOf(state, request.target), request.body, today);
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
  if (record === undefined) throw new Error('the target is no record');
  return record;
}

/** What breaks the schema is not recorded (D6). Only the breaches that are tried here. */
function schemaFindings(body: SubmittingRequest['body']): string[] {
  const findings: string[] = [];
  if (body.externalTransactionId.length < 8) findings.push('INVALID_FORMAT externalTransactionId');
  if ('vehicles' in body && !Array.isArray(body.vehicles)) findings.push('INVALID_FORMAT vehicles');
  if ('reason' in body && body.reason.trim() === '') findings.push('INVALID_FORMAT reason');
  return findings;
}
