import type { Request, Response } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import type { ApiContext } from '../../context.ts';
import { readBody } from '../../http/body/read-body.ts';
import type { JsonObject } from '../../http/body/read-json.ts';
import {
  mediaTypeOf,
  requireIdentityEncoding,
  requireJsonBody,
} from '../../http/body/read-json-body.ts';
import { requestContextOf, singleHeader } from '../../http/request-context.ts';
import { makeSchemaError } from '../../http/schema/check-schema.ts';
import { readForm } from '../../http/schema/read-query.ts';
import { requireAddress } from '../caller-address.ts';
import { claimOf } from '../note-refusal.ts';
import { requireAllowed } from '../rate-limit.ts';

/**
 * Returns a token request as one object, whether it was sent as a form, as JSON or with HTTP Basic credentials (api.md,
 * "POST /api/v1/oauth/token"). The limit of the address is checked first. Sets the rate headers of the answer (D20).
 * @throws {AppError} IP_NOT_ALLOWED, RATE_LIMITED, PAYLOAD_TOO_LARGE, VALIDATION_FAILED, INVALID_CREDENTIALS
 */
export async function authenticateCredentials(
  { limits }: ApiContext,
  request: Request,
  response: Response,
): Promise<JsonObject> {
  const requestContext = requestContextOf(response);
  const address = requireAddress(requestContext);
  const limit = await limits.takeTokenRequest(address);
  for (const [name, value] of Object.entries(limit.headers)) response.setHeader(name, value);
  requireAllowed(limit, `address ${address}`);
  const form = readTokenRequest(request, await readBody(request));
  requestContext.claimedClientId = claimOf(form['client_id']);
  const basic = readBasic(request);
  requestContext.claimedClientId ??= claimOf(basic?.client_id);
  return basic === undefined ? form : withBasic(form, basic);
}

/** The same answer for all wrong credentials, whatever is wrong with them (D18). */
export function invalidCredentials(reason: string): AppError {
  return new AppError('INVALID_CREDENTIALS', reason, {
    headers: { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' },
  });
}

function readTokenRequest(request: Request, body: Buffer): JsonObject {
  if (mediaTypeOf(request) === 'application/json') return requireJsonBody(request, body).value;
  requireIdentityEncoding(request);
  if (mediaTypeOf(request) === 'application/x-www-form-urlencoded') {
    const { value, findings } = readForm(body.toString('utf8'));
    if (value === undefined) throw makeSchemaError(findings, 'form');
    return value;
  }
  throw makeSchemaError(
    [
      makeFinding(
        'INVALID_FORMAT',
        null,
        'The Content-Type must be application/x-www-form-urlencoded or application/json.',
      ),
    ],
    'content type',
  );
}

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** RFC 6749, 2.3.1: both halves are form-encoded. Undefined without an Authorization header. */
function readBasic(request: Request): Credentials | undefined {
  if (request.headers.authorization === undefined) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(
    singleHeader(request, 'authorization') ?? '',
  )?.[1];
  if (encoded === undefined) throw invalidCredentials('authorization is repeated, or not Basic');
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) throw invalidCredentials('Basic credentials without a colon');
  try {
    return {
      client_id: formDecoded(pair.slice(0, colon)),
      client_secret: formDecoded(pair.slice(colon + 1)),
    };
  } catch {
    throw invalidCredentials('Basic credentials are not form-encoded');
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** "The client MUST NOT use more than one authentication method in each request" (RFC 6749, 2.3); its id may be repeated. */
function withBasic(form: JsonObject, basic: Credentials): JsonObject {
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.client_id)) {
    throw makeSchemaError(
      [
        makeFinding(
          'INVALID_FORMAT',
          clientSecret === undefined ? 'client_id' : 'client_secret',
          'Credentials are given in the Authorization header already.',
        ),
      ],
      'two sets of credentials',
    );
  }
  return { ...form, ...basic };
}
