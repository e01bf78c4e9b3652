import type { Scope } from '../../../shared/contract/enums.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../shared/contract/machine/token.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import { hashAccessToken, issueAccessToken } from '../../../shared/store/access/access-tokens.ts';
import type { SignedRequest, TestAnswer } from '../../env/api/signed-request.ts';
import { startStack } from '../../env/api/stack.ts';
import { checkAnswer } from '../../pure/contract/answer-matcher.ts';
import type { References } from '../references.ts';
import { STARTS } from '../request-specs.ts';
import { CLIENTS } from '../rules/organizations.ts';
import type { Request } from '../rules/reading/request.ts';

/** API and worker in this process, with a clock that the test sets. */
export interface Registry {
  readonly clock: MovableClock;
  readonly db: Db;
  /** Operation, status and code of every answer so far. */
  readonly outcomes: ReadonlySet<string>;
  /** Sets the clock, also back, and discards the tokens, because a token pruned on a later day is not valid on an earlier one. */
  beginAt(start: Date): void;
  /** Throws when the answer violates the OpenAPI document or contains personal data. */
  ask(request: Request, references: References): Promise<TestAnswer>;
  /** The dry run of a transmission (D38). Throws like `ask`. */
  dryRun(request: Request & { readonly op: 'transmit' }): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/** Personal data of the operator of every certificate here, which no answer may contain (D22). */
const PERSONAL = ['123-456-789', 'maria.santos', '917 555', '917555'] as const;

/** Work that started before the clock was set has ended after this time. */
const PRUNING_MS_MAX = 5_000;

export async function startRegistry(): Promise<Registry> {
  const clock = makeMovableClock(new Date(STARTS[0]));
  // Long, because a machine under load settles late.
  const stack = await startStack({ clock, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
  const { db } = stack.api.context;
  const newTokens = () => makeTokens(db, clock, (client) => stack.client(client).clientId);
  let tokenOf = newTokens();
  let movedMs = performance.now();
  const outcomes = new Set<string>();
  const send = async (client: Request['client'], signed: SignedRequest): Promise<TestAnswer> => {
    const token = await tokenOf(client);
    const answer = await stack.send(client, { ...signed, token });
    if (answer.status !== 401 || performance.now() - movedMs > PRUNING_MS_MAX) return answer;
    // A pruning pass that started on a later day may delete tokens that were issued on this one.
    const tokenHash = new Uint8Array(hashAccessToken(token));
    if ((await db.accessToken.findUnique({ where: { tokenHash } })) !== null) return answer;
    tokenOf = newTokens();
    return stack.send(client, { ...signed, token: await tokenOf(client) });
  };
  return {
    clock,
    db,
    outcomes,
    beginAt: (start) => {
      clock.moveTo(start);
      movedMs = performance.now();
      tokenOf = newTokens();
    },
    ask: async (request, references) => {
      const signed = signedRequest(request, references);
      const answer = await send(request.client, signed);
      requireConforming(signed, answer);
      outcomes.add([request.op, answer.status, answer.envelope.error?.code ?? ''].join(' ').trim());
      if ('body' in request && answer.envelope.data !== null) {
        const acknowledgment = answer.envelope.data as unknown as Acknowledgment;
        if ('disclaimer' in acknowledgment)
          references.learn(CLIENTS[request.client], acknowledgment);
      }
      return answer;
    },
    dryRun: async ({ client, body }) => {
      const signed = { path: '/ppai/policies/validation', body };
      const answer = await send(client, signed);
      requireConforming(signed, answer);
      return answer;
    },
    stop: () => stack.stop(),
  };
}

/** Issues a new token when the old one has expired. */
function makeTokens(
  db: Db,
  clock: MovableClock,
  clientIdOf: (client: string) => string,
): (client: string) => Promise<string> {
  const issued = new Map<string, { at: number; token: Promise<string> }>();
  return (client) => {
    const known = issued.get(client);
    const now = clock.now();
    const expiresAt = (known?.at ?? 0) + TOKEN_LIFETIME_SECONDS * 1_000;
    if (known !== undefined && now.getTime() < expiresAt) return known.token;
    const token = db.apiClient
      .findUniqueOrThrow({ where: { clientId: clientIdOf(client) } })
      .then(async ({ id, version, scopes }) => {
        const grant = { apiClientId: id, clientVersion: version, scopes: scopes as Scope[], now };
        return (await issueAccessToken(db, grant)) ?? '';
      });
    issued.set(client, { at: now.getTime(), token });
    return token;
  };
}

function signedRequest(request: Request, references: References): SignedRequest {
  switch (request.op) {
    case 'transmit':
      return { path: '/ppai/policies', body: request.body };
    case 'amend':
      return { path: `${recordPath(request.target, references)}/amendments`, body: request.body };
    case 'cancel':
      return { path: `${recordPath(request.target, references)}/cancellation`, body: request.body };
    case 'read':
      return { path: recordPath(request.target, references) };
    case 'lookup': {
      const { by, transmission } = request;
      const [, externalTransactionId] = transmission.split('/');
      const name =
        by === 'reference' ? references.transmissionReference(transmission) : externalTransactionId;
      return { path: `/ppai/transmissions/${name}` };
    }
    case 'search': {
      const { criteria, status } = request;
      const query = new URLSearchParams({
        ...criteria,
        ...(status === undefined ? {} : { status }),
      });
      return { path: `/ppai/policies/search?${query.toString()}` };
    }
    case 'coverage': {
      const query = request.asOf === undefined ? '' : `?asOf=${request.asOf}`;
      return { path: `/ppai/vehicles/${request.identifier}/coverage${query}` };
    }
    default:
      return request satisfies never;
  }
}

function recordPath(record: string, references: References): string {
  return `/ppai/policies/${references.registryReference(record)}`;
}

function requireConforming({ path, body }: SignedRequest, answer: TestAnswer): void {
  const problems = checkAnswer({
    method: body === undefined ? 'GET' : 'POST',
    path: `${API_BASE}${path}`,
    status: answer.status,
    headers: answer.headers,
    body: answer.envelope,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const leaked = PERSONAL.filter((value) => answer.text.includes(value));
  if (leaked.length > 0) throw new Error(`the answer contains personal data: ${leaked.join(', ')}`);
}
