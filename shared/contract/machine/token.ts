import { z } from 'zod';
import { text } from '../text.ts';
import type { Endpoint } from './endpoints.ts';

export const TOKEN_LIFETIME_SECONDS = 900;

/** The parameters of a token request, from the body and HTTP Basic together (api.md, "POST /api/v1/oauth/token"). */
export const TokenBody = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: text(100).min(1),
    client_secret: z.string().min(1).max(256),
    scope: text(200).optional(),
  })
  .meta({ id: 'TokenBody' });
export type TokenBody = z.infer<typeof TokenBody>;

/** The body of a token request: HTTP Basic may carry the credentials instead. */
export const TokenRequest = TokenBody.partial({ client_id: true, client_secret: true }).meta({
  id: 'TokenRequest',
  description: 'HTTP Basic may carry the credentials instead of the body.',
});

export const TokenResponse = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' });
export type TokenResponse = z.infer<typeof TokenResponse>;

export const ISSUE_TOKEN = {
  method: 'POST',
  path: '/oauth/token',
  authentication: 'credentials',
  scope: null,
  summary: 'Obtain an access token',
  description:
    'OAuth 2.0 client credentials, as a form, JSON or HTTP Basic. The token is opaque and valid for 15 minutes. At most 20 requests per minute and address (IPv6: per /64). An address outside the allowlist of the client gets no token.',
  body: TokenBody,
  replies: { 200: { description: 'A bearer token.', data: TokenResponse } },
  errors: [
    'INVALID_CREDENTIALS',
    'FORBIDDEN',
    'IP_NOT_ALLOWED',
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'PAYLOAD_TOO_LARGE',
    'INTERNAL_ERROR',
  ],
} as const satisfies Endpoint;
