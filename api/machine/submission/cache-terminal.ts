import { LRUCache } from 'lru-cache';
import { isTerminal } from '../../../shared/contract/enums.ts';
import type {
  TransmissionName,
  TransmissionView,
} from '../../../shared/store/intake/transmissions.ts';

type FindTransmission = (name: TransmissionName) => Promise<TransmissionView | undefined>;

/** Characters of all cached acknowledgments together. */
const CACHE_CHARACTERS_MAX = 16 * 1_024 * 1_024;
/** A longer acknowledgment is not cached. */
const ENTRY_CHARACTERS_MAX = 64 * 1_024;
/** What an entry needs besides its acknowledgment. */
const ENTRY_OVERHEAD_CHARACTERS = 512;

/**
 * Caches terminal transmissions, which never change. The cache is per organization, because each may see others. Whether
 * an organization may see the related records that an acknowledgment names can change (D23), so these are not cached.
 */
export function cacheTerminal(find: FindTransmission): FindTransmission {
  const cache = new LRUCache<string, TransmissionView>({
    maxSize: CACHE_CHARACTERS_MAX,
    maxEntrySize: ENTRY_CHARACTERS_MAX,
    sizeCalculation: ({ acknowledgmentJson }) =>
      ENTRY_OVERHEAD_CHARACTERS + (acknowledgmentJson?.length ?? 0),
  });
  return async (name) => {
    const key = `${name.viewer.organizationId} ${name.referenceOrExternalId}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const found = await find(name);
    if (found !== undefined && isTerminal(found.status) && !found.namesRelated) {
      cache.set(key, found);
    }
    return found;
  };
}
