import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '../../api/contract.ts';
import { keyOf, useRead } from '../../api/queries.ts';
import type { Flag, FlagQuery } from './flag-query.ts';

const POLL_MS = 30_000;

export interface FlagList {
  /** The rows as first loaded: decided ones keep their place. */
  readonly rows: readonly Flag[];
  readonly total: number;
  readonly nextCursor: string | null;
  /** How many flags match by now that did not when the rows were loaded. */
  readonly newCount: number;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly updatedAt: number;
  /** Why the list could not look for new flags; null when it could. */
  readonly pollError: unknown;
  readonly isPaused: boolean;
  pause(isPaused: boolean): void;
  /** Loads the list anew: new flags come in, decided ones go. */
  reload(): void;
  /** Puts the new state of a flag in its place. */
  replace(flag: Flag): void;
}

/** The rows of a list of flags, which never move while somebody reads them. A second read counts what is new. */
export function useFlagList(query: FlagQuery): FlagList {
  const client = useQueryClient();
  const [isPaused, pause] = useState(false);
  const shown = useRead('listFlags', { query }, { isFrozen: true, keepsEarlier: true });
  const counted = useRead(
    'listFlags',
    { query: { ...query, cursor: undefined, limit: 1 } },
    {
      ...(isPaused ? {} : { pollMs: POLL_MS }),
      isEnabled: shown.data !== undefined && !shown.isPlaceholderData,
    },
  );
  const rows = shown.data?.items ?? [];
  const total = shown.data?.total ?? 0;
  const decidedHere = query.status === 'OPEN' ? rows.filter(isDecided).length : 0;
  return {
    rows,
    total,
    nextCursor: shown.data?.nextCursor ?? null,
    newCount: Math.max(0, (counted.data?.total ?? 0) - (total - decidedHere)),
    error: shown.error,
    isLoading: shown.isFetching,
    updatedAt: Math.max(shown.dataUpdatedAt, counted.dataUpdatedAt),
    pollError: counted.error,
    isPaused,
    pause,
    reload: () => void client.invalidateQueries({ queryKey: ['listFlags'] }),
    replace: (flag) => {
      client.setQueryData<DataOf<'listFlags'>>(keyOf('listFlags', { query }), (page) =>
        page === undefined
          ? page
          : { ...page, items: page.items.map((one) => (one.id === flag.id ? flag : one)) },
      );
    },
  };
}

function isDecided({ status }: Flag): boolean {
  return status !== 'OPEN';
}
