import type { Permission } from '../../shared/contract/staff.ts';
import { call } from '../api/call.ts';
import { isApiError } from '../api/errors.ts';
import { countOf } from '../words.ts';
import type { JumpTarget } from './target.ts';

/** A page to which a search leads. */
export interface FoundPage {
  readonly path: string;
  readonly title: string;
}

interface Source {
  readonly permission: Permission;
  readonly find: (text: string) => Promise<FoundPage[]>;
}

const LIMIT = 5;
const CODE_CHARACTERS_MAX = 32;

/** The pages of what has the reference or identifier, as far as the role may see them. */
export async function findPages(
  target: JumpTarget,
  permissions: readonly Permission[],
): Promise<FoundPage[]> {
  if (target.kind === 'nothing') return [];
  if (target.kind === 'page') return [{ path: target.path, title: target.path }];
  const isAllowed = ({ permission }: Source): boolean => permissions.includes(permission);
  if (target.kind === 'text') {
    const sources = BY_TEXT.filter(isAllowed);
    const found = sources.map((source) => source.find(target.text).catch(noneIfRefused));
    return onceEach((await Promise.all(found)).flat());
  }
  // One after the other: the first ones are the likeliest, and only one kind of object has the id.
  for (const source of BY_ID.filter(isAllowed)) {
    const found = await source.find(target.id);
    if (found.length > 0) return found;
  }
  return [];
}

/** A record can be found by two of its numbers. */
function onceEach(pages: readonly FoundPage[]): FoundPage[] {
  return [...new Map(pages.map((page) => [page.path, page])).values()];
}

/** A text such as "---" has no characters of an identifier, and the registry refuses it. */
function noneIfRefused(error: unknown): FoundPage[] {
  if (isApiError(error, 'VALIDATION_FAILED')) return [];
  throw error;
}

const BY_TEXT: readonly Source[] = [
  { permission: 'records:read', find: findVehicles },
  { permission: 'records:read', find: (policyNumber) => findRecords({ policyNumber }) },
  { permission: 'records:read', find: (cocNumber) => findRecords({ cocNumber }) },
  { permission: 'organizations:read', find: findOrganizations },
];

async function findVehicles(identifier: string): Promise<FoundPage[]> {
  const { items } = await call('listVehicles', { query: { identifier, limit: LIMIT } });
  return items.map(({ id, plateNumber, chassisNumber, coverCount }) => ({
    path: `/vehicles/${id}`,
    title: `Vehicle ${plateNumber}, chassis ${chassisNumber}, ${countOf(coverCount, 'cover')}`,
  }));
}

async function findRecords(query: { policyNumber: string } | { cocNumber: string }) {
  const { items } = await call('listRecords', { query: { ...query, limit: LIMIT } });
  return items.map(({ registryReference, issuingInsurer, policyNumber, cocNumber }) => ({
    path: `/records/${registryReference}`,
    title: `Record ${registryReference}: policy ${policyNumber}, certificate ${cocNumber}, ${issuingInsurer.name}`,
  }));
}

/** By the whole code. */
async function findOrganizations(text: string): Promise<FoundPage[]> {
  if (text.length > CODE_CHARACTERS_MAX) return [];
  const query = { code: text.toUpperCase(), limit: 1 };
  const { items } = await call('listOrganizations', { query });
  return items.map(({ id, code, name }) => ({
    path: `/organizations/${id}`,
    title: `Organization ${code}, ${name}`,
  }));
}

const BY_ID: readonly Source[] = [
  {
    permission: 'flags:read',
    find: (flagId) => pageOf(`/flags/${flagId}`, call('readFlag', { params: { flagId } })),
  },
  {
    permission: 'records:read',
    find: (vehicleId) =>
      pageOf(`/vehicles/${vehicleId}`, call('readVehicle', { params: { vehicleId } })),
  },
  {
    permission: 'organizations:read',
    find: (organizationId) =>
      pageOf(
        `/organizations/${organizationId}`,
        call('readOrganization', { params: { organizationId } }),
      ),
  },
  {
    permission: 'clients:read',
    find: (apiClientId) =>
      pageOf(`/clients/${apiClientId}`, call('readClient', { params: { apiClientId } })),
  },
  {
    permission: 'rules:read',
    find: (ruleSetId) =>
      pageOf(`/rules/${ruleSetId}`, call('readRuleSet', { params: { ruleSetId } })),
  },
  {
    permission: 'reference:read',
    find: (importId) =>
      pageOf(
        `/reference/imports/${importId}`,
        call('readReferenceImport', { params: { importId } }),
      ),
  },
  {
    permission: 'users:read',
    find: (userId) => pageOf(`/users/${userId}`, call('readUser', { params: { userId } })),
  },
  { permission: 'audit:read', find: findRequest },
];

/** The page if its object exists. */
async function pageOf(path: string, reading: Promise<unknown>): Promise<FoundPage[]> {
  try {
    await reading;
    return [{ path, title: path }];
  } catch (error) {
    if (isApiError(error, 'NOT_FOUND')) return [];
    throw error;
  }
}

/** An error message names its request, and the audit log says what a request did. */
async function findRequest(requestId: string): Promise<FoundPage[]> {
  const { total } = await call('listAudit', { query: { requestId, limit: 1 } });
  const path = `/audit?${new URLSearchParams({ requestId })}`;
  return total === 0 ? [] : [{ path, title: path }];
}
