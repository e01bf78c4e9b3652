import { z } from 'zod';
import { OrganizationStatus, OrganizationType } from '../enums.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { ExpectedVersion, Name, ReasonBody, SearchText } from './fields.ts';

export const Organization = z
  .strictObject({
    id: z.uuid(),
    code: z.string(),
    name: z.string(),
    type: OrganizationType,
    status: OrganizationStatus,
    version: z.int().min(1).describe('Grows with each change.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

/** Where a count ends. */
export const POLICIES_COUNTED_MAX = 10_000;

const count = z.int().min(0);

export const OrganizationCounts = z
  .strictObject({
    clients: count,
    activeClients: count,
    memberships: count.describe('Of pools, on the current day.'),
    policies: count.describe(`Issued by it; counts up to ${POLICIES_COUNTED_MAX}.`),
    openFlags: count.describe('On records that it issued.'),
    waiting: count.describe('Its transmissions that no worker has claimed yet.'),
    parked: count.describe('Its parked transmissions.'),
  })
  .meta({ id: 'OrganizationCounts' });
export type OrganizationCounts = z.infer<typeof OrganizationCounts>;

export const OrganizationQuery = PageQuery.extend({
  type: OrganizationType.optional(),
  status: OrganizationStatus.optional(),
  code: text(32).min(1).optional().describe('The whole code.'),
  text: SearchText.optional().describe('A part of the code or the name.'),
}).meta({ id: 'OrganizationQuery' });
export type OrganizationQuery = z.infer<typeof OrganizationQuery>;

/** Transmissions name an organization by its code. It never changes. */
export const OrganizationCode = z
  .string()
  .max(32)
  .regex(
    /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/,
    'Expected upper-case letters and digits, with single hyphens between them.',
  )
  .describe('Upper-case letters, digits and hyphens between them; it never changes.');

export const CreateOrganizationBody = z
  .strictObject({
    code: OrganizationCode,
    name: Name,
    type: OrganizationType.exclude(['INSURANCE_POOL']).describe(
      'A pool has a lead insurer: create it under /admin/v1/pools.',
    ),
  })
  .meta({ id: 'CreateOrganizationBody' });
export type CreateOrganizationBody = z.infer<typeof CreateOrganizationBody>;

export const RenameOrganizationBody = z
  .strictObject({ name: Name, expectedVersion: ExpectedVersion })
  .meta({ id: 'RenameOrganizationBody' });
export type RenameOrganizationBody = z.infer<typeof RenameOrganizationBody>;

const params = z.object({ organizationId: z.uuid() });
const shown = { 200: { description: 'The organization as it is now.', data: Organization } };

/** Organizations of all four types, pools too. A request that changes nothing succeeds and is not audited. */
export const ORGANIZATION_ENDPOINTS = {
  listOrganizations: {
    method: 'GET',
    path: '/admin/v1/organizations',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'List organizations',
    description: 'The newest first.',
    query: OrganizationQuery,
    replies: { 200: { description: 'A page of organizations.', data: pageOf(Organization) } },
    errors: [],
  },
  createOrganization: {
    method: 'POST',
    path: '/admin/v1/organizations',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Create an organization',
    description: 'The organization is ACTIVE. CONFLICT when another organization has the code.',
    body: CreateOrganizationBody,
    replies: {
      201: { description: 'Created.', data: Organization, location: 'The organization.' },
    },
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Organization },
  },
  readOrganization: {
    method: 'GET',
    path: '/admin/v1/organizations/{organizationId}',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'Read one organization',
    description: 'The organization as it is now.',
    params,
    replies: shown,
    errors: [],
  },
  countForOrganization: {
    method: 'GET',
    path: '/admin/v1/organizations/{organizationId}/counts',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'Count what belongs to an organization',
    description: 'Clients, memberships, policies, open flags and transmissions that wait.',
    params,
    replies: { 200: { description: 'The counts.', data: OrganizationCounts } },
    errors: [],
  },
  renameOrganization: {
    method: 'PATCH',
    path: '/admin/v1/organizations/{organizationId}',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Rename an organization',
    description: 'Records show the new name from now on. The code does not change.',
    params,
    body: RenameOrganizationBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Organization },
  },
  suspendOrganization: {
    method: 'POST',
    path: '/admin/v1/organizations/{organizationId}/suspend',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Suspend an organization',
    description:
      'Takes effect with the next transmission. A transmission that it sends is rejected with ORGANIZATION_NOT_ACTIVE; a transmission that names it as issuing insurer, with INSURER_NOT_ACTIVE. It can still read.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shown,
    errors: [],
  },
  reactivateOrganization: {
    method: 'POST',
    path: '/admin/v1/organizations/{organizationId}/reactivate',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Reactivate an organization',
    description: 'Takes effect with the next transmission.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shown,
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
