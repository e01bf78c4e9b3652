import type { DataOf } from '../../api/contract.ts';
import type { Stored } from '../../ui/form/versioned/versioned-values.ts';

export type Organization = DataOf<'readOrganization'>;

/** The reads that show an organization, and are read again after a change. A pool is one too. */
export const ORGANIZATION_SHOWN_BY = [
  'readOrganization',
  'listOrganizations',
  'readPool',
  'listPools',
  'listAudit',
] as const;

export function storedName({ version, name }: Organization): Stored<'name'> {
  return { version, values: { name } };
}

/** A pool has a page with its members. */
export function pathOf({ id, type }: { id: string; type: Organization['type'] }): string {
  return `/${type === 'INSURANCE_POOL' ? 'pools' : 'organizations'}/${id}`;
}
