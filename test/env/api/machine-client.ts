import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import type { TestApi } from './api-env.ts';
import { anyAddress, newNonce, type TestAnswer } from './signed-request.ts';

/** The credentials of a client that staff issued. */
export interface MachineCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** Requests a token as an insurer does. */
export function requestToken(
  api: TestApi,
  { clientId, clientSecret }: Pick<MachineCredentials, 'clientId' | 'clientSecret'>,
  scope?: string,
): Promise<TestAnswer> {
  return api.sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }),
  });
}

/** Returns the token; throws when the request is refused. */
export async function tokenFor(api: TestApi, credentials: MachineCredentials): Promise<string> {
  const { status, envelope, text } = await requestToken(api, credentials);
  if (status !== 200) throw new Error(`no token: ${text}`);
  return String(envelope.data?.['access_token']);
}

/** Signs and sends a request, a GET if it has no body. `path` is below API_BASE. */
export function sendSigned(
  api: TestApi,
  { clientId, signingSecret }: Pick<MachineCredentials, 'clientId' | 'signingSecret'>,
  token: string,
  {
    path,
    body,
    from = '127.0.0.1',
  }: { readonly path: string; readonly body?: object; readonly from?: string },
): Promise<TestAnswer> {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body), 'utf8');
  const method = body === undefined ? 'GET' : 'POST';
  const target = `${API_BASE}${path}`;
  const timestamp = String(Math.floor(api.api.context.clock.now().getTime() / 1_000));
  const nonce = newNonce();
  return api.sendRaw({
    method,
    target,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': from,
      [SIGNATURE_HEADERS.clientId]: clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: sign(signingSecret, {
        method,
        target,
        timestamp,
        nonce,
        body: bytes,
      }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: bytes }),
  });
}
