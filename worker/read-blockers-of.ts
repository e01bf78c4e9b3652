import { isCalendarDate } from '../shared/domain/calendar.ts';
import type { Blocker } from '../shared/domain/facts.ts';
import { presentIdentifiers } from '../shared/domain/identifiers.ts';
import type { MatchedVehicle } from '../shared/domain/matching.ts';
import type { Submission } from '../shared/domain/submission.ts';
import type { Db, Tx } from '../shared/store/db.ts';
import { readBlockers } from '../shared/store/facts.ts';

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
