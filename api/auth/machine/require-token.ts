import type { Request } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import {
  SIGNATURE_HEADER_NAMES,
  SIGNATURE_HEADERS,
} from '../../../shared/contract/machine/signing.ts';
import { hashAccessToken, TOKEN_PATTERN } from '../../../shared/store/access/access-tokens.ts';
import type { TokenHolder } from '../../../shared/store/access/clients.ts';
import type { ApiContext } from '../../context.ts';
import { headerProblem, singleHeader } from '../../http/request-context.ts';

/** What each header must be. The caller reads it when the header is missing or malformed. */
const TOKEN_RULE = 'Bearer and an access token of this registry';
const CLIENT_ID_RULE = 'the id of the client that the token was issued to';

/** Returns the client that the token was issued to, which must be the one that the request names. @throws {AppError} INVALID_TOKEN */
export async function requireToken(
  { loaders }: ApiContext,
  request: Request,
): Promise<TokenHolder> {
  const authorization = singleHeader(request, 'authorization') ?? '';
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined || !TOKEN_PATTERN.test(token)) {
    const message = headerProblem(request, 'Authorization', TOKEN_RULE);
    throw invalidToken('no bearer token, or a malformed one', message);
  }
  const holder = await loaders.findTokenHolder(hashAccessToken(token).toString('hex'));
  if (holder === undefined) throw invalidToken('token is unknown or expired');
  const clientId = singleHeader(request, SIGNATURE_HEADERS.clientId);
  if (clientId !== holder.clientId) {
    const message = headerProblem(request, SIGNATURE_HEADER_NAMES.clientId, CLIENT_ID_RULE);
    throw invalidToken(`token of ${holder.clientId} with another client id`, message);
  }
  return holder;
}

function invalidToken(reason: string, message?: string): AppError {
  return new AppError('INVALID_TOKEN', reason, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    ...(message === undefined ? {} : { message }),
  });
}
