import { useQueryClient } from '@tanstack/react-query';
import { isApiError, Unreachable } from '../../../api/errors.ts';
import { keyOf } from '../../../api/queries.ts';
import type { Flag } from '../flag-query.ts';

/**
 * What to do when a change of a flag fails. `onConflict` gets the flag as somebody else changed it meanwhile. A request without an
 * answer may have changed it, so the flag is then read again.
 */
export function useFlagErrors(
  flagId: string,
  onConflict: (flag: Flag) => void,
): (error: unknown) => void {
  const client = useQueryClient();
  return (error) => {
    if (isApiError(error, 'CONFLICT') && error.data !== null) onConflict(error.data as Flag);
    if (error instanceof Unreachable)
      void client.invalidateQueries({
        queryKey: keyOf('readFlagEvidence', { params: { flagId } }),
      });
  };
}
