import { z } from 'zod';
import { ClientStatus, Scope, SecretKind } from '../enums.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { OrganizationSummary } from '../machine/record.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { EACH_ONCE, ExpectedVersion, isEachOnce, Name, SearchText } from './fields.ts';

/** api.md, "Limits": 120 by default, "can be raised by the regulator". */
export const RATE_LIMIT_PER_MINUTE_DEFAULT = 120;
export const RATE_LIMIT_PER_MINUTE_MAX = 1_000_000;
export const ALLOWLIST_ENTRIES_MAX = 100;
export const OVERLAP_SECONDS_MAX = 24 * 3_600;

const ClientSecretInfo = z
  .strictObject({
    kind: SecretKind,
    version: z.int().min(1),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().describe('The end of an overlap; null: without end.'),
  })
  .meta({ id: 'ClientSecretInfo' });

export const Client = z
  .strictObject({
    id: z.uuid(),
    clientId: z.string().describe('The public id: X-PPAI-Client-Id.'),
    name: z.string(),
    organization: OrganizationSummary,
    status: ClientStatus,
    scopes: z.array(Scope),
    ipAllowlist: z.array(z.string()).describe('Empty: every address.'),
    rateLimitPerMinute: z.int().min(1),
    secrets: z.array(ClientSecretInfo).describe('Those that work now, never their values.'),
    version: z.int().min(1).describe('Counts the changes.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Client' });
export type Client = z.infer<typeof Client>;

export const ClientQuery = PageQuery.extend({
  organizationId: z.uuid().optional(),
  status: ClientStatus.optional(),
  scope: Scope.optional().describe('Those that hold it.'),
  text: SearchText.optional().describe('Any part of name or public id.'),
}).meta({ id: 'ClientQuery' });
export type ClientQuery = z.infer<typeof ClientQuery>;

const Scopes = z.array(Scope).min(1).refine(isEachOnce, EACH_ONCE).describe('Each once.');

const NETWORKS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

/** An IPv4 caller is never shown as IPv6, so an entry in that form would admit nobody (D19). */
const Network = z
  .string()
  .max(64)
  .refine(
    (entry) =>
      NETWORKS.some((network) => network.safeParse(entry).success) && !/^[0:]*:ffff:/i.test(entry),
    'Expected an address or a CIDR block, IPv4 or IPv6, such as 203.0.113.0/24; an IPv4 address in its own form.',
  )
  .describe('An address or a CIDR block, IPv4 or IPv6, such as 203.0.113.0/24.');

const IpAllowlist = z.array(Network).max(ALLOWLIST_ENTRIES_MAX).describe('Empty: every address.');
const RateLimit = z.int().min(1).max(RATE_LIMIT_PER_MINUTE_MAX);

export const CreateClientBody = z
  .strictObject({
    organizationId: z.uuid(),
    name: Name,
    scopes: Scopes,
    ipAllowlist: IpAllowlist.default([]),
    rateLimitPerMinute: RateLimit.default(RATE_LIMIT_PER_MINUTE_DEFAULT),
  })
  .meta({ id: 'CreateClientBody' });
export type CreateClientBody = z.infer<typeof CreateClientBody>;

export const ChangeClientBody = z
  .strictObject({
    name: Name.optional(),
    scopes: Scopes.optional(),
    ipAllowlist: IpAllowlist.optional(),
    rateLimitPerMinute: RateLimit.optional(),
    expectedVersion: ExpectedVersion,
  })
  .meta({ id: 'ChangeClientBody' });
export type ChangeClientBody = z.infer<typeof ChangeClientBody>;

export const RotateSecretsBody = z
  .strictObject({
    secrets: z
      .array(SecretKind)
      .min(1)
      .refine(isEachOnce, EACH_ONCE)
      .describe('One of them or both.'),
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .describe(
        'So long the earlier secrets work, too; 0 ends them at once, and the client’s tokens with them.',
      ),
    expectedVersion: ExpectedVersion,
  })
  .meta({ id: 'RotateSecretsBody' });
export type RotateSecretsBody = z.infer<typeof RotateSecretsBody>;

const shownOnce = z.string().nullable().describe('Shown only here; null when it is not a new one.');

export const ClientWithSecrets = z
  .strictObject({ client: Client, clientSecret: shownOnce, signingSecret: shownOnce })
  .meta({ id: 'ClientWithSecrets' });
export type ClientWithSecrets = z.infer<typeof ClientWithSecrets>;

export const RevokedTokens = z
  .strictObject({ revoked: z.int().min(0).describe('Tokens that were alive.') })
  .meta({ id: 'RevokedTokens' });
export type RevokedTokens = z.infer<typeof RevokedTokens>;

const params = z.object({ apiClientId: z.uuid() });
const shown = { 200: { description: 'The client as it is now.', data: Client } };

/** Machine clients (api.md, "Machine API", 7). What is so already is no change, and nothing is audited. */
export const CLIENT_ENDPOINTS = {
  listClients: {
    method: 'GET',
    path: '/admin/v1/clients',
    authentication: 'session',
    permission: 'clients:read',
    summary: 'List API clients',
    description: 'Newest first.',
    query: ClientQuery,
    replies: { 200: { description: 'A page of clients.', data: pageOf(Client) } },
    errors: [],
  },
  createClient: {
    method: 'POST',
    path: '/admin/v1/clients',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Issue an API client',
    description: 'It is ACTIVE. Both secrets are shown in this answer and never again.',
    body: CreateClientBody,
    replies: { 201: { description: 'Issued.', data: ClientWithSecrets, location: 'The client.' } },
    errors: [],
  },
  readClient: {
    method: 'GET',
    path: '/admin/v1/clients/{apiClientId}',
    authentication: 'session',
    permission: 'clients:read',
    summary: 'Read one API client',
    description: 'The client as it is now.',
    params,
    replies: shown,
    errors: [],
  },
  changeClient: {
    method: 'PATCH',
    path: '/admin/v1/clients/{apiClientId}',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Change name, scopes, allowlist or rate limit',
    description:
      'From the next request on, for tokens that are out, too: a scope that is taken away is gone; one that is added needs a new token. What is left out stays.',
    params,
    body: ChangeClientBody,
    replies: shown,
    errors: ['CONFLICT'],
  },
  suspendClient: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/suspend',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Suspend an API client',
    description:
      'From the next request on every request of the client is FORBIDDEN, and it gets no token. Tokens count again after a reactivation unless they are revoked or have expired.',
    params,
    replies: shown,
    errors: [],
  },
  reactivateClient: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/reactivate',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Reactivate an API client',
    description: 'From the next request on.',
    params,
    replies: shown,
    errors: [],
  },
  rotateClientSecrets: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/rotate-secrets',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Replace the client secret, the signing secret, or both',
    description:
      'The new ones work at once and are shown in this answer and never again; for up to 24 hours the earlier ones work, too. An overlap that is under way is cut short by a shorter one, and not made longer. Without an overlap (0) all tokens of the client are revoked, too; with one they live out their 15 minutes unless they are revoked.',
    params,
    body: RotateSecretsBody,
    replies: { 200: { description: 'Replaced.', data: ClientWithSecrets } },
    errors: ['CONFLICT'],
  },
  revokeClientTokens: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/revoke-tokens',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Revoke all tokens of an API client',
    description:
      'From the next request on they are INVALID_TOKEN. The client may ask for new ones while it is ACTIVE.',
    params,
    replies: { 200: { description: 'Revoked.', data: RevokedTokens } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
