import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

const RETRIES_MAX = 2;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What was answered with a reason will be answered so again; only faults are worth another try.
        retry: (failures, error) =>
          failures < RETRIES_MAX && !(error instanceof ApiError && error.status < 500),
        retryDelay: (attempt) => 1_000 * 2 ** attempt,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
