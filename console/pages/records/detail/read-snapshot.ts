import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

type Snapshot = Record<string, unknown>;

/** The certificate as of a version, whole. A version never changes, so it is read once. */
export function useSnapshot(registryReference: string, version: number): UseQueryResult<Snapshot> {
  return useQuery({
    queryKey: ['snapshot', registryReference, version],
    queryFn: ({ signal }) => readSnapshot(registryReference, String(version), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readSnapshot(
  registryReference: string,
  version: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const params = { registryReference, version };
  const { snapshot } = await call('readRecordVersion', { params }, { signal });
  // Many vehicles do not fit into one answer (D33).
  if (Array.isArray(snapshot['vehicles'])) return snapshot;
  return { ...snapshot, vehicles: await readVehicles(params, signal) };
}

async function readVehicles(
  params: { registryReference: string; version: string },
  signal: AbortSignal,
): Promise<unknown[]> {
  const vehicles: unknown[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, cursor };
    const page = await call('listVersionVehicles', { params, query }, { signal });
    vehicles.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return vehicles;
}
