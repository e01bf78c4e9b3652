import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import { independentGroups } from '../shared/domain/registration/grouping.ts';
import {
  decideRegistration,
  type Outcome,
} from '../shared/domain/registration/plan-registration.ts';
import { readSubmission, type Submission } from '../shared/domain/registration/submission.ts';
import type { NewPolicy } from '../shared/domain/registration/writes.ts';
import type { Facts } from '../shared/domain/rules/facts.ts';
import { isIdentifierConflict } from '../shared/domain/rules/matching.ts';
import { calendarDate } from '../shared/platform/clock.ts';
import { lateWriterIgnored } from '../shared/platform/events.ts';
import { newId } from '../shared/platform/new-id.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';
import { ClaimsRefused, FactsChanged, FenceLost } from '../shared/store/registry/commit/settle.ts';
import { keysOf, readFacts } from '../shared/store/registry/facts.ts';
import { readRelatedOf } from '../shared/store/registry/related-records.ts';
import { CONTENTION_TRIES_MAX, untilUncontended } from './contention.ts';
import type { WorkerContext } from './context.ts';
import { openBody } from './open-body.ts';
import { readBlockersAtOnce } from './read-blockers-at-once.ts';
import {
  type Decided,
  type Ending,
  type PreparedEndings,
  prepareEndings,
  settleTogether,
} from './settle-together.ts';
import { unknownFieldFindings } from './unknown-fields.ts';

interface Held {
  readonly transmission: TakenTransmission;
  /** Read again from the sealed body where it was forgotten. */
  readonly submission: Submission;
  /** It is most of what a certificate takes of the memory, and only who decides again needs it again. */
  forgetSubmission(): void;
}

/** Throws where the body can't be opened. */
function holdTransmission(context: WorkerContext, transmission: TakenTransmission): Held {
  const read = () => readSubmission(openBody<TransmissionBody>(context.keyring, transmission));
  let kept: Submission | undefined = read();
  return {
    transmission,
    get submission() {
      kept ??= read();
      return kept;
    },
    forgetSubmission: () => {
      kept = undefined;
    },
  };
}

export type OnFailure = (transmission: TakenTransmission, error: unknown) => Promise<void>;

/** Judges and settles CREATE transmissions, together where they don't touch each other. Never rejects. */
export async function registerBatch(
  context: WorkerContext,
  taken: readonly TakenTransmission[],
  onFailure: OnFailure,
): Promise<void> {
  const held: Held[] = [];
  for (const transmission of taken) {
    try {
      held.push(holdTransmission(context, transmission));
    } catch (error) {
      await onFailure(transmission, error);
    }
  }
  for (const group of independentGroups(held, ({ submission }) => submission)) {
    await registerGroup(context, group, onFailure);
  }
}

async function registerGroup(
  context: WorkerContext,
  group: readonly Held[],
  onFailure: OnFailure,
): Promise<void> {
  try {
    await settleUncontended(context, group);
  } catch (error) {
    const [first, ...others] = group;
    if (first === undefined) return;
    if (others.length > 0) {
      // One of them troubles all: each alone, so that the others are not held up.
      for (const one of group) await registerGroup(context, [one], onFailure);
    } else if (error instanceof FenceLost) {
      const { id, requestId } = first.transmission;
      lateWriterIgnored(context, { transmissionId: id, requestId });
    } else {
      await onFailure(first.transmission, error);
    }
  }
}

/** Decides and settles; where another writer was first, decides again on fresh facts. */
async function settleUncontended(context: WorkerContext, group: readonly Held[]): Promise<void> {
  const blocked = new Set<string>();
  let endings: readonly Ending[] = [];
  await untilUncontended(group.length > 1 ? 2 : CONTENTION_TRIES_MAX, async (previous) => {
    if (previous instanceof FactsChanged) {
      for (const { id } of group.map(({ transmission }) => transmission)) blocked.add(id);
    } else if (previous instanceof ClaimsRefused) {
      for (const { transmission, certificateId } of endings) {
        if (previous.certificateIds.has(certificateId ?? '')) blocked.add(transmission.id);
      }
    }
    const prepared = await decideGroup(context, group, blocked);
    for (const held of group) held.forgetSubmission();
    endings = prepared.endings;
    await settleTogether(context, prepared);
  });
}

/**
 * One read, then pure decisions, and of these what is still needed. What blocks a vehicle is read only for a transmission that is rejected
 * anyway (every finding is reported), whose identifiers name several vehicles, or whose claims were refused:
 * for all others the claims themselves decide.
 */
async function decideGroup(
  context: WorkerContext,
  group: readonly Held[],
  blocked: ReadonlySet<string>,
): Promise<PreparedEndings> {
  const now = context.clock.now();
  const today = calendarDate(now, context.config.registryTimeZone);
  const questions = group.map(({ transmission, submission }) => ({
    submission,
    organizationId: transmission.organizationId,
    apiClientId: transmission.apiClientId,
    neededScope: 'ppai:transmit' as const,
  }));
  const keys = keysOf(questions);
  const facts = await readFacts(context.db, questions, { now, today }, keys);
  const newPolicies = new Map<string, Facts['policy']>();
  const decided: Decided[] = [];
  for (const [index, { transmission, submission }] of group.entries()) {
    const read = facts[index];
    const sequence = transmission.registrySequence;
    const asked = questions[index];
    if (read === undefined || sequence === null || asked === undefined)
      throw new Error('facts are missing');
    const policyKey = JSON.stringify([read.issuingInsurer?.id, submission.policy.policyNumber]);
    const known = { ...read, policy: read.policy ?? newPolicies.get(policyKey) ?? null };
    const decide = (given: Facts) =>
      decideRegistration(
        transmission,
        submission,
        given,
        {
          transmissionId: transmission.id,
          sequence,
          registryReference: registryReference(today, sequence),
          now,
          newId,
        },
        { findings: unknownFieldFindings(transmission.unknownFields) },
      );
    let outcome = decide(known);
    if (blocked.has(transmission.id) || needsBlockers(outcome)) {
      const { matched } = outcome.verdict;
      const related = await readRelatedOf(context.db, matched, null);
      const blockers = await readBlockersAtOnce(
        context.db,
        { asked, facts: read, matched, exceptCertificateId: null },
        { now, today },
      );
      if (blockers.length + related.length > 0) outcome = decide({ ...known, blockers, related });
    }
    const [newPolicy] = outcome.writes.policies;
    if (newPolicy !== undefined) newPolicies.set(policyKey, registeredForm(newPolicy, submission));
    decided.push({ transmission, outcome });
  }
  requireApart(decided);
  return prepareEndings(context, decided, keys);
}

/** Two that are about one vehicle, by different identifiers of it, are decided one after the other. */
function requireApart(decided: readonly Decided[]): void {
  const vehicles = decided.flatMap(({ outcome }) => [
    ...new Set(outcome.writes.reliesOn.vehicles.map(({ id }) => id)),
  ]);
  if (new Set(vehicles).size < vehicles.length) throw new FactsChanged();
}

function needsBlockers({ verdict }: Outcome): boolean {
  return verdict.status === 'REJECTED' || verdict.matched.some(isIdentifierConflict);
}

/** A policy made earlier in the batch, as the next certificate under it sees it. */
function registeredForm(policy: NewPolicy, { poolCode }: Submission): Facts['policy'] {
  return {
    id: policy.id,
    revision: null,
    issuanceDate: policy.issuanceDate,
    coverageType: policy.coverageType,
    premiumAmount: policy.premiumAmount === null ? null : String(policy.premiumAmount),
    officialReceiptNumber: policy.officialReceiptNumber,
    remarks: policy.remarks,
    poolId: policy.poolId,
    poolCode,
  };
}

/** PPAI-<year>-<sequence>, at least nine digits (D13). */
export function registryReference(today: string, sequence: number): string {
  return `PPAI-${today.slice(0, 4)}-${String(sequence).padStart(9, '0')}`;
}
