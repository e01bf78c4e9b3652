import { useQueryClient } from '@tanstack/react-query';
import { useWithFreshCode } from '../session/fresh-code.tsx';
import { call } from './call.ts';
import type { DataOf, EndpointName, ReadName, RequestOf } from './contract.ts';
import { isApiError, Unreachable } from './errors.ts';

/**
 * Like `useChange`, for forms and dialogs that wait for the answer, which is kept nowhere: it may have a secret. What the named
 * endpoints show is read again after the change, after a conflict, and when the registry may have saved it without an answer.
 */
export function useSave<Name extends Exclude<EndpointName, ReadName>>(
  name: Name,
  shownBy: readonly ReadName[],
): (request: RequestOf<Name>) => Promise<DataOf<Name>> {
  const client = useQueryClient();
  const withFreshCode = useWithFreshCode();
  const readAgain = (): void => {
    for (const one of shownBy) void client.invalidateQueries({ queryKey: [one] });
  };
  return async (request) => {
    try {
      const data = await withFreshCode(() => call(name, request));
      readAgain();
      return data;
    } catch (error) {
      if (error instanceof Unreachable || isApiError(error, 'CONFLICT')) readAgain();
      throw error;
    }
  };
}
