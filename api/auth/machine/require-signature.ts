import type { Request } from 'express';
import { AppError, type ErrorExtras } from '../../../shared/contract/errors.ts';
import {
  isSignatureOf,
  NONCE_PATTERN,
  SIGNATURE_HEADER_NAMES,
  SIGNATURE_HEADERS,
  SIGNATURE_PATTERN,
  TIMESTAMP_PATTERN,
  TIMESTAMP_SKEW_SECONDS,
} from '../../../shared/contract/machine/signing.ts';
import { openSigningSecret, type TokenHolder } from '../../../shared/store/access/clients.ts';
import type { ApiContext } from '../../context.ts';
import { headerProblem, singleHeader } from '../../http/request-context.ts';

/** What each header must be. The caller reads it when the header is missing or malformed. */
const TIMESTAMP_RULE = 'the current Unix time in whole seconds';
const NONCE_RULE = '16 to 64 visible ASCII characters, new for every request';
const SIGNATURE_RULE = '64 lowercase hexadecimal digits';

/** Returns the timestamp as it was sent. @throws {AppError} TIMESTAMP_OUT_OF_RANGE */
export function requireTimestamp({ clock }: ApiContext, request: Request): string {
  const timestamp = singleHeader(request, SIGNATURE_HEADERS.timestamp) ?? '';
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
  if (!TIMESTAMP_PATTERN.test(timestamp)) {
    throw new AppError('TIMESTAMP_OUT_OF_RANGE', 'timestamp is missing or malformed', {
      message: headerProblem(request, SIGNATURE_HEADER_NAMES.timestamp, TIMESTAMP_RULE),
    });
  }
  const aheadSeconds = Number(timestamp) - nowSeconds;
  if (Math.abs(aheadSeconds) > TIMESTAMP_SKEW_SECONDS)
    throw new AppError('TIMESTAMP_OUT_OF_RANGE', `timestamp is ${aheadSeconds} s ahead`);
  return timestamp;
}

/**
 * Accepts a signature with any signing secret of the client that is valid now. Returns the nonce, which the signature
 * covers. @throws {AppError} INVALID_SIGNATURE
 */
export function requireSignature(
  { keyring }: ApiContext,
  request: Request,
  holder: TokenHolder,
  timestamp: string,
  body: Buffer,
): string {
  const nonce = singleHeader(request, SIGNATURE_HEADERS.nonce) ?? '';
  const signature = singleHeader(request, SIGNATURE_HEADERS.signature) ?? '';
  const refusal = (reason: string, extras: ErrorExtras = {}) =>
    new AppError('INVALID_SIGNATURE', `${reason}, client ${holder.clientId}`, extras);
  if (!NONCE_PATTERN.test(nonce)) {
    const message = headerProblem(request, SIGNATURE_HEADER_NAMES.nonce, NONCE_RULE);
    throw refusal('nonce is missing or malformed', { message });
  }
  if (!SIGNATURE_PATTERN.test(signature)) {
    const message = headerProblem(request, SIGNATURE_HEADER_NAMES.signature, SIGNATURE_RULE);
    throw refusal('signature is missing or malformed', { message });
  }
  const parts = { method: request.method, target: request.originalUrl, timestamp, nonce, body };
  const matches = holder.signingSecrets.some((secret) =>
    isSignatureOf(signature, openSigningSecret(keyring, holder.clientId, secret), parts),
  );
  if (!matches) throw refusal('signature does not match');
  return nonce;
}
