import { Prisma } from '../../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../../db/look-up.ts';
import type { Tx } from '../../../db/prisma.ts';
import { isCalendarDate } from '../../../domain/calendar.ts';
import { type KindAndValue, presentIdentifiers } from '../../../domain/identifiers.ts';
import type { Submission } from '../../../domain/registration/submission.ts';
import type { Blocker, Facts } from '../../../domain/rules/facts.ts';
import type { MatchedVehicle } from '../../../domain/rules/matching.ts';
import { identifierKey } from '../commit/identifier-key.ts';
import { StaleRead } from '../commit/read-set.ts';
import { type FactsMoment, type FactsQuestion, readFacts } from './read-facts.ts';

export interface BlockersQuestion {
  readonly question: FactsQuestion;
  /** The facts that were read for the question before. */
  readonly facts: Facts;
  readonly matched: readonly MatchedVehicle[];
  /** The certificate that does not block itself. */
  readonly exceptCertificateId: string | null;
}

/**
 * Reads the covers that block a submission, at a time when its facts are unchanged.
 *
 * @throws {StaleRead} The facts have changed since they were read. A rejection may only state what was true at one time.
 */
export async function readBlockers(
  tx: Tx,
  { question, facts, matched, exceptCertificateId }: BlockersQuestion,
  moment: FactsMoment,
): Promise<Blocker[]> {
  const blockers = await readBlockersOf(tx, question.submission, matched, exceptCertificateId);
  const [now] = await readFacts(tx, [question], moment);
  if (now === undefined || revisionsOf(now) !== revisionsOf(facts)) throw new StaleRead();
  return blockers;
}

/** One text for the facts that decide which vehicles are meant and whether the certificate is registered. */
function revisionsOf({ vehicles, registered }: Facts): string {
  const owners = vehicles.map(({ id, revision }) => `${id} ${revision}`).sort();
  return JSON.stringify([owners, registered?.registryReference]);
}

/**
 * Reads the certificates in force on the vehicles of a submission and on all vehicles that its identifiers match (D10). Empty
 * if the submission's dates are not a period.
 */
export async function readBlockersOf(
  tx: Tx,
  { certificate, vehicles }: Submission,
  matched: readonly MatchedVehicle[],
  exceptCertificateId: string | null,
): Promise<Blocker[]> {
  const { effectiveDate: from, expirationDate: to } = certificate;
  if (from === null || to === null || !isPeriod(from, to)) return [];
  const identifiers = [
    ...vehicles.flatMap(presentIdentifiers),
    ...matched.flatMap(({ matches }) => matches.flatMap((match) => match.identifiers)),
  ];
  return queryBlockers(tx, identifiers, { from, to }, exceptCertificateId);
}

function isPeriod(from: string, to: string): boolean {
  return isCalendarDate(from) && isCalendarDate(to) && from <= to;
}

/** The certificates in force on one of the identifiers on any day of the period (D9), whichever insurer issued them. */
async function queryBlockers(
  tx: Tx,
  identifiers: readonly KindAndValue[],
  { from, to }: { readonly from: string; readonly to: string },
  exceptCertificateId: string | null,
): Promise<Blocker[]> {
  const byKey = new Map(identifiers.map((one) => [identifierKey(one), one]));
  const isAsked = Prisma.sql`key = asked.key AND rank = 0`;
  const rows = await tx.$queryRaw<(Omit<Blocker, 'kind' | 'value'> & { key: string })[]>`
    SELECT i.key::text, cover.certificate_id AS "certificateId", o.name AS "insurerName",
      c.expiration_date::text AS "expirationDate"
    FROM unnest(${[...byKey.keys()]}::bigint[]) AS asked (key)
    CROSS JOIN ${rowsWhere('vehicle_identifiers', isAsked)} i
    CROSS JOIN LATERAL unnest(i.covered_by, i.covers) AS cover (certificate_id, during)
    CROSS JOIN ${rowOf('certificates', 'cover.certificate_id')} c
    JOIN organizations o ON o.id = c.issuing_insurer_id
    WHERE cover.during && daterange(${from}::date, ${to}::date, '[]')
      AND cover.certificate_id IS DISTINCT FROM ${exceptCertificateId}::uuid`;
  return rows.flatMap(({ key, ...row }) => {
    const identifier = byKey.get(key);
    return identifier === undefined
      ? []
      : [{ kind: identifier.kind, value: identifier.value, ...row }];
  });
}
