import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useWithFreshCode } from '../session/fresh-code.tsx';
import { call } from './call.ts';
import type { DataOf, EndpointName, ReadName, RequestOf } from './contract.ts';

export function keyOf<Name extends ReadName>(name: Name, request: RequestOf<Name>): QueryKey {
  return [name, request];
}

interface ReadOptions {
  /** Reads again in this interval while the page is visible. */
  readonly pollMs?: number;
  /** Shows the earlier answer while another request of the same kind is loading. */
  readonly keepsEarlier?: boolean;
  readonly isEnabled?: boolean;
  /** True for an answer that changes only when this page asks for it, so that rows keep their place. */
  readonly isFrozen?: boolean;
  /** True for a request that moves on by itself, such as the period of a chart: no read of it counts as activity of the user. */
  readonly isUnasked?: boolean;
}

const POLL_MS_MAX = 60_000;

/**
 * Reads what an endpoint shows. The first read counts as activity of the user; those that follow by themselves do not, so that a
 * page that is left open does not keep its session alive.
 */
export function useRead<Name extends ReadName>(
  name: Name,
  request: RequestOf<Name>,
  {
    pollMs,
    keepsEarlier = false,
    isEnabled = true,
    isFrozen = false,
    isUnasked = false,
  }: ReadOptions = {},
): UseQueryResult<DataOf<Name>> {
  const client = useQueryClient();
  const queryKey = keyOf(name, request);
  return useQuery<DataOf<Name>>({
    queryKey,
    queryFn: ({ signal }) => {
      const isBackground = isUnasked || (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) > 0;
      return call(name, request, { signal, isBackground });
    },
    enabled: isEnabled,
    ...(keepsEarlier ? { placeholderData: keepPreviousData } : {}),
    ...(isFrozen
      ? { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, gcTime: 0 }
      : {}),
    ...(pollMs === undefined
      ? {}
      : {
          refetchInterval: ({ state }) =>
            Math.min(POLL_MS_MAX, pollMs * 2 ** state.fetchFailureCount),
        }),
  });
}

/** Changes something. An action that needs a fresh code of the second factor asks for it and is then repeated. */
export function useChange<Name extends Exclude<EndpointName, ReadName>>(
  name: Name,
  onSuccess?: (data: DataOf<Name>) => void,
): UseMutationResult<DataOf<Name>, Error, RequestOf<Name>> {
  const withFreshCode = useWithFreshCode();
  return useMutation<DataOf<Name>, Error, RequestOf<Name>>({
    mutationFn: (request) => withFreshCode(() => call(name, request)),
    ...(onSuccess === undefined ? {} : { onSuccess }),
  });
}
