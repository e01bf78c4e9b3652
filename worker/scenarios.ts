import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';
import { holdTransmissions, readOutcomes } from '../shared/store/sandbox/scenarios.ts';
import type { WorkerContext } from './context.ts';
import type { OnFailure } from './retry-policy.ts';

/**
 * In the sandbox, the transmissions to decide now, each with the outcome that its sender asked for (D40). In production, all of
 * them. Never rejects: `onFailure` is called for each transmission if the scenarios cannot be read.
 */
export async function withScenarios(
  { config, db }: WorkerContext,
  claimed: readonly ClaimedTransmission[],
  onFailure: OnFailure,
): Promise<readonly ClaimedTransmission[]> {
  if (config.registryEnvironment === 'production') return claimed;
  try {
    const held = await holdTransmissions(db, claimed);
    const outcomes = await readOutcomes(
      db,
      claimed.map(({ id }) => id),
    );
    return claimed
      .filter(({ id }) => !held.has(id))
      .map((one) => ({ ...one, scenario: outcomes.get(one.id) }));
  } catch (error) {
    for (const one of claimed) await onFailure(one, error);
    return [];
  }
}
