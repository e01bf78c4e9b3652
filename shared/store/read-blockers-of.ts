import { isCalendarDate } from '../domain/calendar.ts';
import type { Blocker } from '../domain/facts.ts';
import { presentIdentifiers } from '../domain/identifiers.ts';
import type { MatchedVehicle } from '../domain/matching.ts';
import type { Submission } from '../domain/submission.ts';
import type { Db, Tx } from './db.ts';
import { readBlockers } from './facts.ts';

/**
 * What is in force on the vehicles of a submission, or on any vehicle that its identifiers match (D10);
 * nothing when its dates name no period.
 */
export async function readBlockersOf(
  db: Db | Tx,
  { certificate, vehicles }: Submission,
  matched: readonly MatchedVehicle[],
  exceptCertificateId: string | null,
): Promise<Blocker[]> {
  const { effectiveDate: from, expirationDate: to } = certificate;
  if (from === null || to === null) return [];
  if (!isCalendarDate(from) || !isCalendarDate(to) || from > to) return [];
  const identifiers = [
    ...vehicles.flatMap(presentIdentifiers),
    ...matched.flatMap(({ matches }) => matches.flatMap((match) => match.identifiers)),
  ];
  return readBlockers(db, identifiers, { from, to }, exceptCertificateId);
}
