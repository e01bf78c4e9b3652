import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import { independentGroups } from '../shared/domain/registration/grouping.ts';
import {
  decideRegistration,
  type Outcome,
  policyAsRegistered,
} from '../shared/domain/registration/plan-registration.ts';
import {
  platesOf,
  readSubmission,
  type Submission,
} from '../shared/domain/registration/submission.ts';
import type { Facts } from '../shared/domain/rules/facts.ts';
import { isIdentifierConflict } from '../shared/domain/rules/matching.ts';
import { factsOfScenario, refuseByScenario } from '../shared/domain/rules/scenario.ts';
import { unknownFieldFindings } from '../shared/domain/rules/unknown-fields.ts';
import { newId } from '../shared/platform/new-id.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';
import { StaleRead } from '../shared/store/registry/commit/read-set.ts';
import { ReservationRefused } from '../shared/store/registry/commit/reserve-identifiers.ts';
import { readConflicts } from '../shared/store/registry/facts/read-conflicts.ts';
import { type FactsQuestion, readFacts } from '../shared/store/registry/facts/read-facts.ts';
import { readToday } from '../shared/store/sandbox/registry-day.ts';
import { commitDecided, type Decided } from './commit.ts';
import type { WorkerContext } from './context.ts';
import { openBody } from './open-body.ts';
import {
  CONFLICT_TRIES_MAX,
  handleError,
  type OnFailure,
  retryOnConflict,
} from './retry-policy.ts';

interface OpenedTransmission {
  readonly transmission: ClaimedTransmission;
  readonly submission: Submission;
}

/**
 * Decides CREATE transmissions and commits them, together where they don't affect each other. Never rejects: `onFailure` is
 * called for each transmission that failed.
 */
export async function registerBatch(
  context: WorkerContext,
  claimed: readonly ClaimedTransmission[],
  onFailure: OnFailure,
): Promise<void> {
  const opened: OpenedTransmission[] = [];
  for (const transmission of claimed) {
    try {
      const body = openBody<TransmissionBody>(context.keyring, transmission);
      opened.push({ transmission, submission: readSubmission(body) });
    } catch (error) {
      await onFailure(transmission, error);
    }
  }
  for (const group of independentGroups(opened, ({ submission }) => submission)) {
    await registerGroup(context, group, onFailure);
  }
}

async function registerGroup(
  context: WorkerContext,
  group: readonly OpenedTransmission[],
  onFailure: OnFailure,
): Promise<void> {
  try {
    await decideAndCommit(context, group);
  } catch (error) {
    const [first, ...others] = group;
    if (first === undefined) return;
    if (others.length > 0) {
      // One transmission fails the whole group. Process each alone, so that the others don't wait for it.
      for (const one of group) await registerGroup(context, [one], onFailure);
    } else {
      await handleError(context, first.transmission, error, onFailure);
    }
  }
}

/** Decides again on fresh facts when another transaction commits first. */
async function decideAndCommit(
  context: WorkerContext,
  group: readonly OpenedTransmission[],
): Promise<void> {
  const withBlockers = new Set<string>();
  let decided: readonly Decided[] = [];
  await retryOnConflict(context, group.length > 1 ? 2 : CONFLICT_TRIES_MAX, async (previous) => {
    if (previous instanceof StaleRead) {
      for (const { transmission } of group) withBlockers.add(transmission.id);
    } else if (previous instanceof ReservationRefused) {
      for (const { transmission, outcome } of decided) {
        if (previous.certificateIds.has(outcome.certificateId ?? ''))
          withBlockers.add(transmission.id);
      }
    }
    decided = await decideGroup(context, group, withBlockers);
    requireDistinctVehicles(decided);
    await commitDecided(context, decided);
  });
}

async function decideGroup(
  context: WorkerContext,
  group: readonly OpenedTransmission[],
  withBlockers: ReadonlySet<string>,
): Promise<Decided[]> {
  const now = context.clock.now();
  const moment = { now, today: await readToday(context.db, context.config, now) };
  const questions = group.map(({ transmission, submission }) => ({
    submission,
    organizationId: transmission.organizationId,
    apiClientId: transmission.apiClientId,
    neededScope: 'ppai:transmit' as const,
  }));
  const allFacts = await readFacts(context.db, questions, moment);
  const newPolicies = new Map<string, Facts['policy']>();
  const decided: Decided[] = [];
  for (const [index, opened] of group.entries()) {
    const { transmission, submission } = opened;
    const [found, question] = [allFacts[index], questions[index]];
    if (found === undefined || question === undefined) throw new Error('facts are missing');
    const facts = factsOfScenario(transmission.scenario, found, submission);
    // An earlier certificate of this group may have created the policy.
    const policyKey = JSON.stringify([facts.issuingInsurer?.id, submission.policy.policyNumber]);
    const known = { ...facts, policy: facts.policy ?? newPolicies.get(policyKey) ?? null };
    const needsBlockers = withBlockers.has(transmission.id);
    const outcome = await decideOne(context, opened, {
      known,
      facts,
      question,
      moment,
      needsBlockers,
    });
    const [newPolicy] = outcome.writes.policies;
    if (newPolicy !== undefined)
      newPolicies.set(policyKey, policyAsRegistered(newPolicy, submission.poolCode));
    decided.push({ transmission, outcome });
  }
  return decided;
}

interface DecisionInput {
  readonly question: FactsQuestion;
  /** The facts as they were read. */
  readonly facts: Facts;
  /** The facts with policies that this group creates. */
  readonly known: Facts;
  readonly moment: { readonly now: Date; readonly today: string };
  readonly needsBlockers: boolean;
}

/**
 * Decides one transmission. The covers in force on its vehicles are read only if they matter: for a rejection, which reports all
 * findings, for identifiers that name several vehicles, and after a conflict. Otherwise the commit's reservations decide (D9).
 */
async function decideOne(
  context: WorkerContext,
  { transmission, submission }: OpenedTransmission,
  { question, facts, known, moment, needsBlockers }: DecisionInput,
): Promise<Outcome> {
  const refused = refuseByScenario(transmission, transmission.scenario, platesOf(submission));
  if (refused !== undefined) return refused;
  const sequence = transmission.registrySequence;
  if (sequence === null) throw new Error('the transmission has no registry sequence');
  const decide = (given: Facts) =>
    decideRegistration(
      transmission,
      submission,
      given,
      {
        transmissionId: transmission.id,
        sequence,
        registryReference: registryReference(moment.today, sequence),
        now: moment.now,
        newId,
      },
      { findings: unknownFieldFindings(transmission.unknownFields) },
    );
  const outcome = decide(known);
  const { status, matched } = outcome.verdict;
  if (!needsBlockers && status !== 'REJECTED' && !matched.some(isIdentifierConflict))
    return outcome;
  const conflictsQuestion = { question, facts, matched, exceptCertificateId: null };
  const { blockers, related } = await readConflicts(context.db, conflictsQuestion, moment);
  return blockers.length + related.length > 0 ? decide({ ...known, blockers, related }) : outcome;
}

/** Two transmissions may name one vehicle by different identifiers. They must be decided one after the other. */
function requireDistinctVehicles(decided: readonly Decided[]): void {
  const vehicles = decided.flatMap(({ outcome }) => [
    ...new Set(outcome.writes.readSet.vehicles.map(({ id }) => id)),
  ]);
  if (new Set(vehicles).size < vehicles.length) throw new StaleRead();
}

/** PPAI-<year>-<sequence>, at least nine digits (D13). */
export function registryReference(today: string, sequence: number): string {
  return `PPAI-${today.slice(0, 4)}-${String(sequence).padStart(9, '0')}`;
}
