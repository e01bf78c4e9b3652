import type { IdentifierKind } from '../../shared/contract/enums.ts';
import { Prisma } from '../../shared/db/generated/client.ts';
import type { Db } from '../../shared/db/prisma.ts';
import { identifierKey } from '../../shared/store/registry/commit/identifier-key.ts';
import {
  DIFFERS_FROM_ACKNOWLEDGMENT,
  HAS_VERSION_GAPS,
  HAS_WRONG_CANCELLATION,
} from '../env/records/record-inconsistencies.ts';
import { everyIdentifier } from './bodies.ts';
import type { References } from './references.ts';
import type { ModelState } from './rules/state.ts';
import { present } from './rules/vehicles.ts';

/** Violated invariants of the stored certificates whose policy number contains `space`. */
export async function findProblems(db: Db, space: string): Promise<string[]> {
  const rows = [...(await findCoverProblems(db, space)), ...(await findRecordProblems(db, space))];
  return rows.map(({ problem }) => problem);
}

/** Certificates whose policy number contains `space`. */
function certificatesOf(space: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT c.*, p.policy_number FROM certificates c JOIN policies p ON p.id = c.policy_id
    WHERE p.policy_number LIKE ${`POL-${space}-%`})`;
}

function findCoverProblems(db: Db, space: string): Promise<{ problem: string }[]> {
  return db.$queryRaw`
    WITH among AS MATERIALIZED ${certificatesOf(space)},
    claims AS MATERIALIZED (
      SELECT cc.* FROM coverage_claims cc JOIN among ON among.id = cc.certificate_id
    ), held AS MATERIALIZED (
      SELECT c.id, c.registry_reference, daterange(c.effective_date, c.expiration_date, '[]') AS during,
        cv.vehicle_id, cv.registered
      FROM among c JOIN certificate_vehicles cv ON cv.certificate_id = c.id
      WHERE c.lifecycle = 'CURRENT' AND cv.removed_in_version IS NULL
    ), names AS MATERIALIZED (
      SELECT held.id, held.registry_reference, held.during, held.vehicle_id, kind || ':' || value AS name
      FROM held, jsonb_each_text(held.registered) AS r (kind, value)
      WHERE kind IN ('plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber')
    )
    SELECT 'two claims on an identifier share a day' AS problem FROM claims one JOIN claims other
      ON one.key = other.key AND one.during && other.during AND one.certificate_id < other.certificate_id
    UNION ALL
    SELECT 'two certificates in force cover one vehicle on a day: ' || one.registry_reference
    FROM held one JOIN held other
      ON one.vehicle_id = other.vehicle_id AND one.during && other.during AND one.id < other.id
    UNION ALL
    SELECT 'two certificates in force share ' || one.name FROM names one JOIN names other
      ON one.name = other.name AND one.during && other.during AND one.id < other.id
    UNION ALL
    SELECT 'a vehicle does not own what it is registered as: ' || names.name FROM names
    WHERE NOT EXISTS (SELECT FROM vehicle_identifiers vi
      WHERE vi.vehicle_id = names.vehicle_id AND vi.kind || ':' || vi.value = names.name)
    UNION ALL
    SELECT 'a claim of other days than its certificate or of a cancelled one' FROM claims
      JOIN among ON among.id = claims.certificate_id
    WHERE among.lifecycle <> 'CURRENT'
      OR claims.during <> daterange(among.effective_date, among.expiration_date, '[]')`;
}

function findRecordProblems(db: Db, space: string): Promise<{ problem: string }[]> {
  return db.$queryRaw`
    SELECT 'versions with gaps: ' || c.registry_reference AS problem FROM ${certificatesOf(space)} c
    WHERE ${HAS_VERSION_GAPS} OR ${HAS_WRONG_CANCELLATION}
    UNION ALL
    SELECT 'not terminal or at odds with its acknowledgment: ' || t.transmission_reference
    FROM transmissions t LEFT JOIN certificates c ON c.id = t.certificate_id
    WHERE t.external_transaction_id LIKE ${`EXT-${space}-%`} AND (
      t.status NOT IN ('ACCEPTED', 'FLAGGED', 'REJECTED') OR ${DIFFERS_FROM_ACKNOWLEDGMENT} OR t.failures > 0)`;
}

/** Compares the stored rows with the states that the rules predict. Undefined when they equal one of them. */
export async function findDifference(
  db: Db,
  space: string,
  states: readonly ModelState[],
  references: References,
): Promise<string | undefined> {
  const [stored] = await db.$queryRaw<Stored[]>`
    SELECT
      (SELECT count(*)::int FROM transmissions WHERE external_transaction_id LIKE ${`EXT-${space}-%`}) AS transmissions,
      (SELECT coalesce(json_agg(names), '[]') FROM (
        SELECT json_agg(kind || ':' || value ORDER BY kind, value) AS names FROM vehicle_identifiers
        WHERE key = ANY(${everyIdentifier(space).map(identifierKey)}::bigint[])
        GROUP BY vehicle_id) AS owned) AS vehicles,
      (SELECT coalesce(json_agg(DISTINCT c.registry_reference || ' ' || cc.key), '[]')
        FROM coverage_claims cc JOIN certificates c ON c.id = cc.certificate_id
        WHERE c.registry_reference = ANY(${[...references.all]})) AS claims`;
  if (stored === undefined) throw new Error('the query returned no row');
  const held = sortedText(stored);
  const told = states.map((state) => sortedText(expected(state, references)));
  return told.includes(held) ? undefined : `stored: ${held}\nforetold: ${told[0]}`;
}

interface Stored {
  readonly transmissions: number;
  readonly vehicles: readonly (readonly string[])[];
  readonly claims: readonly string[];
}

function expected(state: ModelState, references: References): Stored {
  return {
    transmissions: state.transmissions.length,
    vehicles: state.vehicles.map(({ owned }) => owned),
    claims: state.records
      .filter(({ lifecycle }) => lifecycle === 'CURRENT')
      .flatMap((record) => {
        const reference = references.registryReference(record.key);
        const names = new Set(present(record).flatMap((entry) => entry.held));
        return [...names].map((name) => `${reference} ${keyOf(name)}`);
      }),
  };
}

function keyOf(name: string): string {
  const [kind, value = ''] = name.split(':');
  return identifierKey({ kind: kind as IdentifierKind, value });
}

function sortedText({ transmissions, vehicles, claims }: Stored): string {
  return JSON.stringify({
    transmissions,
    vehicles: vehicles.map((names) => [...names].sort().join(' ')).sort(),
    claims: [...claims].sort(),
  });
}
