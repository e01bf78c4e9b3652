import { makeFinding } from '../../contract/findings.ts';
import {
  type OutcomeScenario,
  REJECTION_FINDINGS,
} from '../../contract/machine/sandbox/scenario.ts';
import type { TransmissionHead } from '../presentation/acknowledge.ts';
import type { Outcome } from '../registration/plan-registration.ts';
import type { Submission } from '../registration/submission.ts';
import type { Facts, ReferenceVehicle } from './facts.ts';
import { refuse } from './refuse.ts';

// The outcomes that a sender in the sandbox can ask for (D40). Everything else is decided as ever.

/** The rejection that was asked for; undefined when none was. */
export function refuseByScenario(
  head: TransmissionHead,
  outcome: OutcomeScenario | undefined,
  plateNumbers: readonly string[],
): Outcome | undefined {
  if (outcome === undefined || outcome === 'ACCEPTED' || outcome === 'FLAGGED') return undefined;
  const message = `The sandbox scenario ${outcome} asks for this rejection.`;
  return refuse(head, [makeFinding(REJECTION_FINDINGS[outcome], null, message)], plateNumbers);
}

/**
 * The facts under which the rules themselves lead to the outcome: for ACCEPTED the reference data has each vehicle as sent, for
 * FLAGGED it has none of them. Errors of levels 1 to 3 still reject.
 */
export function factsOfScenario(
  outcome: OutcomeScenario | undefined,
  facts: Facts,
  { vehicles }: Pick<Submission, 'vehicles'>,
): Facts {
  if (outcome !== 'ACCEPTED' && outcome !== 'FLAGGED') return facts;
  const referenceRegions = vehicles.flatMap(({ region }) => region ?? []);
  if (outcome === 'ACCEPTED') {
    return { ...facts, referenceRegions, referenceVehicles: vehicles.map(onFile) };
  }
  const ruleSet = { ...facts.ruleSet, flagNoMatch: true };
  return { ...facts, ruleSet, referenceRegions, referenceVehicles: [] };
}

function onFile(vehicle: Submission['vehicles'][number], position: number): ReferenceVehicle {
  const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = vehicle;
  return { id: String(position), plateNumber, mvFileNumber, engineNumber, chassisNumber };
}
