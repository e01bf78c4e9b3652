import { z } from 'zod';
import { RegistryDate } from '../dates.ts';
import { OrganizationStatus } from '../enums.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { OrganizationSummary } from '../machine/record.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { ExpectedVersion, Name, SearchText } from './fields.ts';
import { Organization, OrganizationCode } from './organizations.ts';

export const Pool = z
  .strictObject({
    id: z
      .uuid()
      .describe(
        'The id of its organization, under which it is renamed, suspended and reactivated.',
      ),
    code: z.string(),
    name: z.string(),
    status: OrganizationStatus,
    leadInsurer: OrganizationSummary,
    managementCompany: OrganizationSummary.nullable(),
    version: z
      .int()
      .min(1)
      .describe('Grows with each change of lead insurer or management company.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Pool' });
export type Pool = z.infer<typeof Pool>;

export const PoolQuery = PageQuery.extend({
  status: OrganizationStatus.optional(),
  leadInsurerId: z.uuid().optional(),
  managementCompanyId: z.uuid().optional(),
  text: SearchText.optional().describe('A part of the code or the name.'),
}).meta({ id: 'PoolQuery' });
export type PoolQuery = z.infer<typeof PoolQuery>;

const LeadInsurerId = z.uuid().describe('An INSURANCE_COMPANY.');
const ManagementCompanyId = z.uuid().nullable().describe('A MANAGEMENT_COMPANY, or null for none.');

export const CreatePoolBody = z
  .strictObject({
    code: OrganizationCode,
    name: Name,
    leadInsurerId: LeadInsurerId,
    managementCompanyId: ManagementCompanyId.default(null),
  })
  .meta({ id: 'CreatePoolBody' });
export type CreatePoolBody = z.infer<typeof CreatePoolBody>;

export const ChangePoolBody = z
  .strictObject({
    leadInsurerId: LeadInsurerId.optional(),
    managementCompanyId: ManagementCompanyId.optional(),
    expectedVersion: ExpectedVersion,
  })
  .meta({ id: 'ChangePoolBody' });
export type ChangePoolBody = z.infer<typeof ChangePoolBody>;

export const Membership = z
  .strictObject({
    id: z.uuid(),
    insurer: OrganizationSummary,
    validFrom: z.iso.date(),
    validTo: z.iso.date().nullable().describe('The last day; null without an end.'),
    version: z.int().min(1),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof Membership>;

/** As the insurer sees it: with the pool. */
export const InsurerMembership = Membership.omit({ insurer: true })
  .extend({ pool: OrganizationSummary })
  .meta({ id: 'InsurerMembership' });
export type InsurerMembership = z.infer<typeof InsurerMembership>;

export const MembershipQuery = PageQuery.extend({
  insurerId: z.uuid().optional(),
  on: RegistryDate.optional().describe('Only memberships that are valid on this day.'),
}).meta({ id: 'MembershipQuery' });
export type MembershipQuery = z.infer<typeof MembershipQuery>;

const ValidTo = RegistryDate.nullable().describe('The last day; null without an end.');

export const AddMembershipBody = z
  .strictObject({
    insurerId: LeadInsurerId,
    validFrom: RegistryDate.describe('The first day.'),
    validTo: ValidTo.default(null),
  })
  .meta({ id: 'AddMembershipBody' });
export type AddMembershipBody = z.infer<typeof AddMembershipBody>;

export const EndMembershipBody = z
  .strictObject({ validTo: ValidTo, expectedVersion: ExpectedVersion })
  .meta({ id: 'EndMembershipBody' });
export type EndMembershipBody = z.infer<typeof EndMembershipBody>;

const params = z.object({ poolId: z.uuid() });
const membershipParams = z.object({ poolId: z.uuid(), membershipId: z.uuid() });
const shown = { 200: { description: 'The pool as it is now.', data: Pool } };
const OVERLAP = 'CONFLICT when the insurer is already a member of the pool on one of these days.';

/** Pools decide who may transmit for whom (api.md, "Machine API", 8). A request that changes nothing is not audited. */
export const POOL_ENDPOINTS = {
  listPools: {
    method: 'GET',
    path: '/admin/v1/pools',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'List pools',
    description: 'The newest first.',
    query: PoolQuery,
    replies: { 200: { description: 'A page of pools.', data: pageOf(Pool) } },
    errors: [],
  },
  createPool: {
    method: 'POST',
    path: '/admin/v1/pools',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Create a pool',
    description:
      'Creates an ACTIVE organization of type INSURANCE_POOL without members. CONFLICT when another organization has the code.',
    body: CreatePoolBody,
    replies: { 201: { description: 'Created.', data: Pool, location: 'The pool.' } },
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Organization },
  },
  readPool: {
    method: 'GET',
    path: '/admin/v1/pools/{poolId}',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'Read one pool',
    description: 'The pool as it is now.',
    params,
    replies: shown,
    errors: [],
  },
  changePool: {
    method: 'PATCH',
    path: '/admin/v1/pools/{poolId}',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Change lead insurer or management company',
    description:
      'Takes effect with the next request: the new organization transmits for the members and sees the records of the pool, the earlier one no longer does, whatever their issuance date. The change feed of the new organization gets the records of the pool afterwards, within a second or, for a large pool, some minutes. Omitted members keep their values.',
    params,
    body: ChangePoolBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Pool },
  },
  listMemberships: {
    method: 'GET',
    path: '/admin/v1/pools/{poolId}/memberships',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'List the memberships of a pool',
    description: 'The latest first day comes first. Ended memberships are included.',
    params,
    query: MembershipQuery,
    replies: { 200: { description: 'A page of memberships.', data: pageOf(Membership) } },
    errors: [],
  },
  listMembershipsOfInsurer: {
    method: 'GET',
    path: '/admin/v1/organizations/{organizationId}/memberships',
    authentication: 'session',
    permission: 'organizations:read',
    summary: 'List the memberships of an insurer',
    description:
      'Its memberships of all pools; the latest first day comes first. Ended memberships are included.',
    params: z.object({ organizationId: z.uuid() }),
    query: MembershipQuery.omit({ insurerId: true }).meta({ id: 'InsurerMembershipQuery' }),
    replies: { 200: { description: 'A page of memberships.', data: pageOf(InsurerMembership) } },
    errors: [],
  },
  addMembership: {
    method: 'POST',
    path: '/admin/v1/pools/{poolId}/memberships',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'Add a membership',
    description: `It applies to policies issued from its first to its last day, both included. ${OVERLAP}`,
    params,
    body: AddMembershipBody,
    replies: { 201: { description: 'Added.', data: Membership } },
    errors: ['CONFLICT'],
  },
  endMembership: {
    method: 'POST',
    path: '/admin/v1/pools/{poolId}/memberships/{membershipId}/end',
    authentication: 'session',
    permission: 'organizations:manage',
    summary: 'End a membership',
    description: `The last day may lie in the past. Null removes an end. ${OVERLAP}`,
    params: membershipParams,
    body: EndMembershipBody,
    replies: { 200: { description: 'The membership as it is now.', data: Membership } },
    errors: ['CONFLICT'],
    errorData: { CONFLICT: Membership },
  },
} as const satisfies Record<string, StaffEndpoint>;
