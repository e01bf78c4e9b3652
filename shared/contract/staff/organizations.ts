import { z } from 'zod';
import { OrganizationStatus, OrganizationType } from '../enums.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { ExpectedVersion, Name, SearchText } from './fields.ts';

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

export const OrganizationQuery = PageQuery.extend({
  type: OrganizationType.optional(),
  status: OrganizationStatus.optional(),
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
    replies: shown,
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
