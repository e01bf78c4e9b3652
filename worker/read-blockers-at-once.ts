import type { Tx } from '../shared/db/prisma.ts';
import type { Blocker, Facts } from '../shared/domain/rules/facts.ts';
import type { MatchedVehicle } from '../shared/domain/rules/matching.ts';
import { FactsChanged } from '../shared/store/registry/commit/settle.ts';
import { type FactsMoment, type FactsQuestion, readFacts } from '../shared/store/registry/facts.ts';
import { readBlockersOf } from '../shared/store/registry/read-blockers-of.ts';

export interface BlockersQuestion {
  readonly asked: FactsQuestion;
  /** As they were read before. */
  readonly facts: Facts;
  readonly matched: readonly MatchedVehicle[];
  /** What does not block itself. */
  readonly exceptCertificateId: string | null;
}

/**
 * What is in force on the vehicles of a submission, at a moment at which its facts were the same: what a rejection says
 * was true at one time. Throws FactsChanged when they are others by now.
 */
export async function readBlockersAtOnce(
  db: Tx,
  { asked, facts, matched, exceptCertificateId }: BlockersQuestion,
  moment: FactsMoment,
): Promise<Blocker[]> {
  const blockers = await readBlockersOf(db, asked.submission, matched, exceptCertificateId);
  const [now] = await readFacts(db, [asked], moment);
  if (now === undefined || revisionsOf(now) !== revisionsOf(facts)) throw new FactsChanged();
  return blockers;
}

/** One text for what decides which vehicles are meant and whether the certificate is known. */
function revisionsOf({ vehicles, registered }: Facts): string {
  const owners = vehicles.map(({ id, revision }) => `${id} ${revision}`).sort();
  return JSON.stringify([owners, registered?.registryReference]);
}
