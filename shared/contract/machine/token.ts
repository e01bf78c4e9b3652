import { z } from 'zod';
import { text } from '../text.ts';

export const TOKEN_LIFETIME_SECONDS = 900;

/** api.md, "POST /api/v1/oauth/token"; the credentials may come through HTTP Basic instead. */
export const TokenBody = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: text(100).min(1),
    client_secret: z.string().min(1).max(256),
    scope: text(200).optional(),
  })
  .meta({ id: 'TokenBody' });
export type TokenBody = z.infer<typeof TokenBody>;

/** What the body holds; the credentials may come through HTTP Basic instead. */
export const TokenRequest = TokenBody.partial({ client_id: true, client_secret: true }).meta({
  id: 'TokenRequest',
  description: 'The credentials may come through HTTP Basic instead.',
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
