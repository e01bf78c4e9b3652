import type { Scope, TransmissionStatus } from '../shared/contract/enums.ts';
import type { CallerLimits } from '../shared/contract/machine/access/limits.ts';
import type { Acknowledgment, ConflictData } from '../shared/contract/machine/acknowledgment.ts';
import type { AmendmentBody } from '../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../shared/contract/machine/cancellation.ts';
import type { ChangesPage, ChangesQuery } from '../shared/contract/machine/changes.ts';
import type { CoverageResult } from '../shared/contract/machine/coverage.ts';
import { API_BASE, ENDPOINTS, type EndpointName } from '../shared/contract/machine/endpoints.ts';
import type { RecordDetail, SearchQuery, SearchResult } from '../shared/contract/machine/record.ts';
import { SCENARIO_HEADER } from '../shared/contract/machine/sandbox/scenario.ts';
import type { TokenResponse } from '../shared/contract/machine/token.ts';
import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import type { BatchStatus } from '../shared/contract/machine/transmissions/batch.ts';
import type {
  TransmissionListQuery,
  TransmissionPage,
} from '../shared/contract/machine/transmissions/list.ts';
import type { LookupBody, LookupResult } from '../shared/contract/machine/transmissions/lookup.ts';
import type {
  ValidationBody,
  ValidationResult,
} from '../shared/contract/machine/transmissions/validation.ts';
import { makeAccessToken } from './access-token.ts';
import { trimBaseUrl } from './base-url.ts';
import type { Outcome } from './outcome.ts';
import { followUntilSettled, WAIT_MAX_SECONDS } from './settle.ts';
import { makeTransport, type Outgoing, type TransportOptions } from './transport.ts';

/** Added to the time that the registry is asked to wait. */
const ANSWER_TIMEOUT_MS = 30_000;
const DEADLINE_DEFAULT_SECONDS = 120;

export interface RegistryClientOptions extends TransportOptions {
  /** Origin of the registry, such as https://registry.example.org. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  /** Default: all scopes of the client. */
  readonly scopes?: readonly Scope[] | undefined;
}

export interface WaitOptions {
  /** Seconds to wait for the outcome, 0 to 30; 0 does not wait. Default: the registry's own (D3). */
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type CallOptions = Pick<WaitOptions, 'signal'>;

export interface SubmitOptions extends WaitOptions {
  /** The name of the batch that the transmission belongs to: 8 to 64 of A-Z a-z 0-9 . _ : - (D35). */
  readonly batch?: string | undefined;
  /** What happens to it in a sandbox, such as IN_PROGRESS=2 (D40). Production refuses it. */
  readonly scenario?: string | undefined;
}

export interface FollowOptions {
  /** How long to follow a transmission that is still in progress. */
  readonly deadlineSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `data` of a refused submission is the conflicting transmission (409) or the submission's own acknowledgment (422). */
export type SubmissionOutcome = Outcome<Acknowledgment, Acknowledgment | ConflictData>;

/** Every criterion is optional, but at least one is required (D16). */
export type SearchCriteria = Partial<SearchQuery>;

/** Every filter is optional, and all of them must match (D35). */
export type TransmissionFilters = Partial<Omit<TransmissionListQuery, 'status'>> & {
  readonly status?: readonly TransmissionStatus[] | undefined;
};

/**
 * Every method resolves to an {@link Outcome}, also when the registry answers with an error, and throws TransportError when
 * the registry cannot be reached. Sending a submission again is always safe: its externalTransactionId makes it a replay.
 */
export interface RegistryClient {
  obtainToken(): Promise<Outcome<TokenResponse>>;
  /** Quota, sizes, rule set and server time, as they hold for this client now (D39). */
  readLimits(): Promise<Outcome<CallerLimits>>;
  /** `ok` means received. `data.status` may still be in progress, or REJECTED in a replay. */
  transmit(body: TransmissionBody, options?: SubmitOptions): Promise<SubmissionOutcome>;
  /** `ok` means registered: ACCEPTED or FLAGGED. Also requires the scope ppai:read. */
  transmitAndWait(
    body: TransmissionBody,
    options?: FollowOptions & Pick<SubmitOptions, 'batch' | 'scenario'>,
  ): Promise<SubmissionOutcome>;
  /** A dry run: what the transmission of this body would lead to at this moment. Nothing is registered (D38). */
  validate(body: ValidationBody, options?: CallOptions): Promise<Outcome<ValidationResult>>;
  amend(
    registryReference: string,
    body: AmendmentBody,
    options?: SubmitOptions,
  ): Promise<SubmissionOutcome>;
  cancel(
    registryReference: string,
    body: CancellationBody,
    options?: SubmitOptions,
  ): Promise<SubmissionOutcome>;
  /** By transmission reference or your own externalTransactionId (D4). */
  readTransmission(reference: string, options?: WaitOptions): Promise<Outcome<Acknowledgment>>;
  /** Your own transmissions, the newest receipt first. The next page needs the same filters and the cursor (D35). */
  listTransmissions(filters?: TransmissionFilters): Promise<Outcome<TransmissionPage>>;
  /** The status of up to 500 of your own transmissions, in the order asked (D36). */
  lookupTransmissions(names: LookupBody, options?: CallOptions): Promise<Outcome<LookupResult>>;
  /** The progress of a batch (D35). */
  readBatch(batch: string): Promise<Outcome<BatchStatus>>;
  searchRecords(criteria: SearchCriteria): Promise<Outcome<SearchResult>>;
  readRecord(registryReference: string): Promise<Outcome<RecordDetail>>;
  /** `asOf` is a calendar date. Default: today (D17). */
  checkCoverage(
    identifier: string,
    options?: { readonly asOf?: string | undefined },
  ): Promise<Outcome<CoverageResult>>;
  /**
   * A page of the change feed. Store `next`, and continue with it as `after` (D37). `waitSeconds` holds an empty page until there
   * is a change.
   */
  readChanges(query?: Partial<ChangesQuery>, options?: WaitOptions): Promise<Outcome<ChangesPage>>;
  /** Follows a submission to its outcome, like `transmitAndWait`. `first` is the answer to the submission. */
  follow(first: SubmissionOutcome, options?: FollowOptions): Promise<SubmissionOutcome>;
}

export function makeRegistryClient(options: RegistryClientOptions): RegistryClient {
  const { baseUrl, clientId, clientSecret, signingSecret, scopes } = options;
  const transport = makeTransport(options);
  const accessToken = makeAccessToken(obtainToken);

  function obtainToken(): Promise<Outcome<TokenResponse>> {
    const body = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scopes && { scope: scopes.join(' ') }),
    };
    return transport.send(outgoingOf(baseUrl, 'issueToken', { body }));
  }

  /** Renews an expired or revoked token once. */
  async function call<Data, Refusal = never>(
    name: EndpointName,
    input: Input,
  ): Promise<Outcome<Data, Refusal>> {
    const outgoing = outgoingOf(baseUrl, name, input);
    let used = '';
    const signer = {
      clientId,
      signingSecret,
      readToken: async () => {
        used = await accessToken.read();
        return used;
      },
    };
    const outcome = await transport.send<Data, Refusal>(outgoing, signer);
    if (outcome.error?.code !== 'INVALID_TOKEN') return outcome;
    accessToken.drop(used);
    return transport.send<Data, Refusal>(outgoing, signer);
  }

  const client: RegistryClient = {
    obtainToken,
    readLimits: () => call('readLimits', {}),
    transmit: (body, { batch, ...options } = {}) =>
      call('transmit', { query: { batch }, body, ...options }),
    async transmitAndWait(
      body,
      { deadlineSeconds = DEADLINE_DEFAULT_SECONDS, signal, ...options } = {},
    ) {
      const deadlineMs = Date.now() + deadlineSeconds * 1_000;
      const waitSeconds = Math.min(deadlineSeconds, WAIT_MAX_SECONDS);
      const first = await client.transmit(body, { waitSeconds, signal, ...options });
      return followUntilSettled(first, client.readTransmission, { deadlineMs, signal });
    },
    validate: (body, { signal } = {}) => call('validateTransmission', { body, signal }),
    amend: (registryReference, body, { batch, ...options } = {}) =>
      call('amend', { params: { registryReference }, query: { batch }, body, ...options }),
    cancel: (registryReference, body, { batch, ...options } = {}) =>
      call('cancel', { params: { registryReference }, query: { batch }, body, ...options }),
    readTransmission: (reference, { waitSeconds, signal } = {}) =>
      call('readTransmission', {
        params: { transmissionReferenceOrExternalId: reference },
        waitSeconds,
        signal,
      }),
    listTransmissions: ({ status, ...filters } = {}) =>
      call('listTransmissions', { query: { ...filters, status: status?.join(',') } }),
    lookupTransmissions: (names, { signal } = {}) =>
      call('lookupTransmissions', { body: names, signal }),
    readBatch: (batch) => call('readBatch', { params: { batch } }),
    searchRecords: (query) => call('searchRecords', { query }),
    readRecord: (registryReference) => call('readRecord', { params: { registryReference } }),
    checkCoverage: (identifier, query = {}) =>
      call('checkCoverage', { params: { identifier }, query }),
    readChanges: (query = {}, { waitSeconds, signal } = {}) =>
      call('readChanges', { query, waitSeconds, signal }),
    follow: (first, { deadlineSeconds = DEADLINE_DEFAULT_SECONDS, signal } = {}) =>
      followUntilSettled(first, client.readTransmission, {
        deadlineMs: Date.now() + deadlineSeconds * 1_000,
        signal,
      }),
  };
  return client;
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  readonly waitSeconds?: number | undefined;
  readonly scenario?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes the request to an endpoint of the table. */
function outgoingOf(
  baseUrl: string,
  name: EndpointName,
  { params = {}, query = {}, body, waitSeconds, scenario, signal }: Input,
): Outgoing {
  const { method, path } = ENDPOINTS[name];
  const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    pathSegment(params[parameter] ?? ''),
  );
  const url = new URL(trimBaseUrl(baseUrl) + API_BASE + target);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  return {
    method,
    url,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(waitSeconds !== undefined && { prefer: preferenceOf(method, waitSeconds) }),
      ...(scenario !== undefined && { [SCENARIO_HEADER]: scenario }),
    },
    timeoutMs: ANSWER_TIMEOUT_MS + (waitSeconds ?? 0) * 1_000,
    ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    ...(signal && { signal }),
  };
}

function preferenceOf(method: 'GET' | 'POST', waitSeconds: number): string {
  return method === 'POST' && waitSeconds === 0
    ? 'respond-async'
    : `wait=${Math.round(waitSeconds)}`;
}

/** A URL parser drops the segments "." and "..", even escaped, and an empty segment would lead to another endpoint. */
function pathSegment(value: string): string {
  if (/^\.{0,2}$/.test(value))
    throw new RangeError(`${JSON.stringify(value)} cannot be part of a path.`);
  return encodeURIComponent(value);
}
