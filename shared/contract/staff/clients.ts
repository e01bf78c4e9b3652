import { z } from 'zod';
import { ClientStatus, Scope, SecretKind } from '../enums.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { OrganizationSummary } from '../machine/record.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { EACH_ONCE, ExpectedVersion, isEachOnce, Name, ReasonBody, SearchText } from './fields.ts';

/** api.md, "Limits": 120 by default; the regulator can raise it. */
export const RATE_LIMIT_PER_MINUTE_DEFAULT = 120;
export const RATE_LIMIT_PER_MINUTE_MAX = 1_000_000;
export const ALLOWLIST_ENTRIES_MAX = 100;
export const OVERLAP_SECONDS_MAX = 24 * 3_600;

const ClientSecretInfo = z
  .strictObject({
    kind: SecretKind,
    version: z.int().min(1),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('The end of the overlap; null when the secret does not expire.'),
  })
  .meta({ id: 'ClientSecretInfo' });

const DryRuns = z
  .strictObject({ count: z.int().min(0), lastAt: z.iso.datetime().nullable() })
  .meta({ id: 'ClientDryRuns' })
  .describe('Dry runs, which leave no transmission. API processes add theirs about once a minute.');

export const Client = z
  .strictObject({
    id: z.uuid(),
    clientId: z.string().describe('The public id, as in X-PPAI-Client-Id.'),
    name: z.string(),
    organization: OrganizationSummary,
    status: ClientStatus,
    scopes: z.array(Scope),
    ipAllowlist: z.array(z.string()).describe('An empty list allows every address.'),
    rateLimitPerMinute: z.int().min(1),
    secrets: z.array(ClientSecretInfo).describe('The secrets that work now, without their values.'),
    dryRuns: DryRuns,
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe('When it last obtained a token; a client in use needs one every 15 minutes.'),
    version: z.int().min(1).describe('Grows with each change.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Client' });
export type Client = z.infer<typeof Client>;

export const ClientQuery = PageQuery.extend({
  organizationId: z.uuid().optional(),
  status: ClientStatus.optional(),
  scope: Scope.optional().describe('Only clients with this scope.'),
  text: SearchText.optional().describe('A part of the name or the public id.'),
}).meta({ id: 'ClientQuery' });
export type ClientQuery = z.infer<typeof ClientQuery>;

const Scopes = z.array(Scope).min(1).refine(isEachOnce, EACH_ONCE).describe('Each scope once.');

const NETWORKS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

/** An IPv4-mapped entry is refused: a caller's IPv4 address never appears in that form, so nobody would match it (D19). */
const Network = z
  .string()
  .max(64)
  .refine(
    (entry) =>
      NETWORKS.some((network) => network.safeParse(entry).success) && !/^[0:]*:ffff:/i.test(entry),
    'Expected an address or a CIDR block, IPv4 or IPv6, such as 203.0.113.0/24; an IPv4 address in its own form.',
  )
  .describe('An address or a CIDR block, IPv4 or IPv6, such as 203.0.113.0/24.');

const IpAllowlist = z
  .array(Network)
  .max(ALLOWLIST_ENTRIES_MAX)
  .describe('An empty list allows every address.');
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
    secrets: z.array(SecretKind).min(1).refine(isEachOnce, EACH_ONCE).describe('One kind or both.'),
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .describe(
        'How long the earlier secrets still work. 0 ends them and the client’s tokens at once.',
      ),
    expectedVersion: ExpectedVersion,
  })
  .meta({ id: 'RotateSecretsBody' });
export type RotateSecretsBody = z.infer<typeof RotateSecretsBody>;

const shownOnce = z
  .string()
  .nullable()
  .describe('Only this answer shows it; null when it did not change.');

export const ClientWithSecrets = z
  .strictObject({ client: Client, clientSecret: shownOnce, signingSecret: shownOnce })
  .meta({ id: 'ClientWithSecrets' });
export type ClientWithSecrets = z.infer<typeof ClientWithSecrets>;

export const RevokedTokens = z
  .strictObject({ revoked: z.int().min(0).describe('The tokens that were valid until now.') })
  .meta({ id: 'RevokedTokens' });
export type RevokedTokens = z.infer<typeof RevokedTokens>;

const params = z.object({ apiClientId: z.uuid() });
const shown = { 200: { description: 'The client as it is now.', data: Client } };

/** Machine clients (api.md, "Machine API", 7). A request that changes nothing succeeds and is not audited. */
export const CLIENT_ENDPOINTS = {
  listClients: {
    method: 'GET',
    path: '/admin/v1/clients',
    authentication: 'session',
    permission: 'clients:read',
    summary: 'List API clients',
    description: 'The newest first.',
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
    description: 'The client is ACTIVE. Only this answer shows its two secrets.',
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
      'Takes effect with the next request. Existing tokens lose a removed scope at once; an added scope needs a new token. Omitted members keep their values.',
    params,
    body: ChangeClientBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Client },
  },
  suspendClient: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/suspend',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Suspend an API client',
    description:
      'From now on every request of the client is FORBIDDEN, and the client gets no token. After a reactivation its tokens work again unless they were revoked or have expired.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shown,
    errors: [],
  },
  reactivateClient: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/reactivate',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Reactivate an API client',
    description: 'Takes effect with the next request.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
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
      'The new secrets work at once, and only this answer shows them. The earlier secrets still work for up to 24 hours. A shorter overlap shortens a running one; a longer overlap does not extend it. Without an overlap (0) all tokens of the client are revoked too; with an overlap they stay valid for their 15 minutes.',
    params,
    body: RotateSecretsBody,
    replies: { 200: { description: 'Replaced.', data: ClientWithSecrets } },
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Client },
  },
  revokeClientTokens: {
    method: 'POST',
    path: '/admin/v1/clients/{apiClientId}/revoke-tokens',
    authentication: 'session',
    permission: 'clients:manage',
    summary: 'Revoke all tokens of an API client',
    description:
      'From now on these tokens are INVALID_TOKEN. While the client is ACTIVE it can obtain new ones.',
    params,
    replies: { 200: { description: 'Revoked.', data: RevokedTokens } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
