import type { IdentifierKind } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import { arrayLiteral } from '../../db/large-parameters.ts';
import { rowOf, rowsWhere } from '../../db/look-up.ts';
import type { Tx } from '../../db/prisma.ts';
import { isCalendarDate } from '../../domain/calendar.ts';
import { presentIdentifiers } from '../../domain/identifiers.ts';
import type { Submission } from '../../domain/registration/submission.ts';
import type { Blocker } from '../../domain/rules/facts.ts';
import type { MatchedVehicle } from '../../domain/rules/matching.ts';
import { identifierKey } from './commit/identifier-key.ts';

/**
 * What is in force on the vehicles of a submission, or on any vehicle that its identifiers match (D10);
 * nothing when its dates name no period.
 */
export async function readBlockersOf(
  db: Tx,
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

/**
 * The certificates in force on any of these identifiers on a day from `from` to `to` (D9), whichever
 * insurer issued them, but for `exceptCertificateId`.
 */
async function readBlockers(
  db: Tx,
  identifiers: readonly { readonly kind: IdentifierKind; readonly value: string }[],
  period: { readonly from: string; readonly to: string },
  exceptCertificateId: string | null,
): Promise<Blocker[]> {
  const byKey = new Map(identifiers.map((one) => [identifierKey(one), one]));
  const isAsked = Prisma.sql`key = asked.key AND rank = 0`;
  const rows = await db.$queryRaw<
    { key: bigint; certificate_id: string; name: string; expiration: string }[]
  >`
    SELECT i.key, cover.certificate_id, o.name, c.expiration_date::text AS expiration
    FROM unnest(${arrayLiteral([...byKey.keys()])}::bigint[]) AS asked (key)
    CROSS JOIN ${rowsWhere('vehicle_identifiers', isAsked)} i
    CROSS JOIN LATERAL unnest(i.covered_by, i.covers) AS cover (certificate_id, during)
    CROSS JOIN ${rowOf('certificates', 'cover.certificate_id')} c
    JOIN organizations o ON o.id = c.issuing_insurer_id
    WHERE cover.during && daterange(${period.from}::date, ${period.to}::date, '[]')
      AND cover.certificate_id IS DISTINCT FROM ${exceptCertificateId}::uuid`;
  return rows.flatMap((row) => {
    const identifier = byKey.get(row.key.toString());
    return identifier === undefined
      ? []
      : {
          kind: identifier.kind,
          value: identifier.value,
          certificateId: row.certificate_id,
          insurerName: row.name,
          expirationDate: row.expiration,
        };
  });
}
