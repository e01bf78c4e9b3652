import type { Scope } from '../shared/contract/enums.ts';
import type { Acknowledgment, ConflictData } from '../shared/contract/machine/acknowledgment.ts';
import type { AmendmentBody } from '../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../shared/contract/machine/cancellation.ts';
import type { CoverageResult } from '../shared/contract/machine/coverage.ts';
import { API_BASE, ENDPOINTS, type EndpointName } from '../shared/contract/machine/endpoints.ts';
import type { RecordDetail, SearchQuery, SearchResult } from '../shared/contract/machine/record.ts';
import type { TokenResponse } from '../shared/contract/machine/token.ts';
import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import { makeAccessToken } from './access-token.ts';
import type { Outcome } from './outcome.ts';
import { followUntilSettled, WAIT_MAX_SECONDS } from './settle.ts';
import { makeTransport, type Outgoing, type TransportOptions } from './transport.ts';

/** On top of the time that the registry was asked to wait. */
const ANSWER_TIMEOUT_MS = 30_000;
const DEADLINE_DEFAULT_SECONDS = 120;

export interface RegistryClientOptions extends TransportOptions {
  /** Origin of the registry, such as https://registry.example.org. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  /** All of the client's scopes unless given. */
  readonly scopes?: readonly Scope[] | undefined;
}

export interface SubmitOptions {
  /** Seconds to wait for the outcome, 0 to 30; 0 does not wait. The registry's own default unless given (D3). */
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FollowOptions {
  /** How long to follow a transmission that is still in progress. */
  readonly deadlineSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A refused submission tells the transmission it met (409) or its own acknowledgment (422). */
export type SubmissionOutcome = Outcome<Acknowledgment, Acknowledgment | ConflictData>;

/** Every criterion is optional, at least one is needed (D16). */
export type SearchCriteria = Partial<SearchQuery>;

/**
 * Every method resolves to an {@link Outcome}, errors of the registry included, and throws TransportError when the
 * registry cannot be reached. Sending a submission again is always safe: its externalTransactionId makes it a replay.
 */
export interface RegistryClient {
  obtainToken(): Promise<Outcome<TokenResponse>>;
  /** `ok` means received: look at `data.status`, which may be in progress, or REJECTED in a replay. */
  transmit(body: TransmissionBody, options?: SubmitOptions): Promise<SubmissionOutcome>;
  /** `ok` means registered, ACCEPTED or FLAGGED. Needs the scope ppai:read too. */
  transmitAndWait(body: TransmissionBody, options?: FollowOptions): Promise<SubmissionOutcome>;
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
  readTransmission(reference: string, options?: SubmitOptions): Promise<Outcome<Acknowledgment>>;
  searchRecords(criteria: SearchCriteria): Promise<Outcome<SearchResult>>;
  readRecord(registryReference: string): Promise<Outcome<RecordDetail>>;
  /** `asOf` is a calendar date, today unless given (D17). */
  checkCoverage(
    identifier: string,
    options?: { readonly asOf?: string | undefined },
  ): Promise<Outcome<CoverageResult>>;
  /** Follows the answer to a submission to its end, like `transmitAndWait`. */
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

  /** An expired or revoked token is renewed once. */
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
    transmit: (body, { waitSeconds, signal } = {}) =>
      call('transmit', { body, waitSeconds, signal }),
    async transmitAndWait(body, { deadlineSeconds = DEADLINE_DEFAULT_SECONDS, signal } = {}) {
      const deadlineMs = Date.now() + deadlineSeconds * 1_000;
      const waitSeconds = Math.min(deadlineSeconds, WAIT_MAX_SECONDS);
      const first = await client.transmit(body, { waitSeconds, signal });
      return followUntilSettled(first, client.readTransmission, { deadlineMs, signal });
    },
    amend: (registryReference, body, { waitSeconds, signal } = {}) =>
      call('amend', { params: { registryReference }, body, waitSeconds, signal }),
    cancel: (registryReference, body, { waitSeconds, signal } = {}) =>
      call('cancel', { params: { registryReference }, body, waitSeconds, signal }),
    readTransmission: (reference, { waitSeconds, signal } = {}) =>
      call('readTransmission', {
        params: { transmissionReferenceOrExternalId: reference },
        waitSeconds,
        signal,
      }),
    searchRecords: (query) => call('searchRecords', { query }),
    readRecord: (registryReference) => call('readRecord', { params: { registryReference } }),
    checkCoverage: (identifier, query = {}) =>
      call('checkCoverage', { params: { identifier }, query }),
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
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is sent to an endpoint of the table. */
function outgoingOf(
  baseUrl: string,
  name: EndpointName,
  { params = {}, query = {}, body, waitSeconds, signal }: Input,
): Outgoing {
  const { method, path } = ENDPOINTS[name];
  const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    pathSegment(params[parameter] ?? ''),
  );
  const url = new URL(baseUrl.replace(/\/+$/, '') + API_BASE + target);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  return {
    method,
    url,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(waitSeconds !== undefined && { prefer: preferenceOf(method, waitSeconds) }),
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

/** A URL drops segments of dots only, escaped or not, and an empty one would name another endpoint. */
function pathSegment(value: string): string {
  if (/^\.{0,2}$/.test(value))
    throw new RangeError(`${JSON.stringify(value)} cannot stand in a path.`);
  return encodeURIComponent(value);
}
