import { useChange } from '../../../api/queries.ts';
import type { Flag } from '../flag-query.ts';
import { useFlagErrors } from './use-flag-errors.ts';

/** The endpoints that decide on a flag. */
export type DecisionName = 'clearFlag' | 'referFlag';

interface Deciding {
  decide(decision: DecisionName, notes: string): void;
  readonly error: unknown;
  readonly isPending: boolean;
}

/** Decides on a flag. `onConflict` gets the flag as somebody else decided it meanwhile. */
export function useDecision(
  flagId: string,
  onDecided: (flag: Flag) => void,
  onConflict: (flag: Flag) => void,
): Deciding {
  const onError = useFlagErrors(flagId, onConflict);
  const changes = {
    clearFlag: useChange('clearFlag', onDecided),
    referFlag: useChange('referFlag', onDecided),
  };
  return {
    decide: (decision, notes) => {
      changes.clearFlag.reset();
      changes.referFlag.reset();
      changes[decision].mutate({ params: { flagId }, body: { notes } }, { onError });
    },
    error: changes.clearFlag.error ?? changes.referFlag.error,
    isPending: changes.clearFlag.isPending || changes.referFlag.isPending,
  };
}
