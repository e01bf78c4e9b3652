import type { DataOf } from '../../api/contract.ts';

type TargetType = DataOf<'listAudit'>['items'][number]['target']['type'];

/** The page of each kind of object below /console; null for what has no page of its own. */
const PAGES: Record<TargetType, string | null> = {
  USER: '/users/',
  ORGANIZATION: '/organizations/',
  POOL: '/pools/',
  POOL_MEMBERSHIP: null,
  CLIENT: '/clients/',
  RULE_SET: '/rules/',
  FLAG: '/flags/',
  TRANSMISSION: '/transmissions/',
  REFERENCE_IMPORT: '/reference/imports/',
  QUEUE: null,
  LIST: null,
};

/** The page of an audited object, if it has one. */
export function pathOfObject(type: TargetType, id: string | null): string | undefined {
  const page = PAGES[type];
  return page === null || id === null ? undefined : `${page}${encodeURIComponent(id)}`;
}
