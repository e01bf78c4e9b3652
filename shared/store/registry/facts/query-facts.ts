import type { ClientStatus, IdentifierKind, Lifecycle, Scope } from '../../../contract/enums.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { rowsWhere } from '../../../db/look-up.ts';
import type { Tx } from '../../../db/prisma.ts';
import { type Identifiers, presentIdentifiers } from '../../../domain/identifiers.ts';
import type { Submission } from '../../../domain/registration/submission.ts';
import type {
  Organization,
  PoolMembership,
  ReferenceVehicle,
  RegisteredPolicy,
  RuleSet,
} from '../../../domain/rules/facts.ts';
import { identifierKey } from '../commit/identifier-key.ts';

/** The names that submissions mention, by which their facts are looked up. */
export interface FactNames {
  readonly submissions: readonly Submission[];
  readonly organizationIds: readonly string[];
  readonly apiClientIds: readonly string[];
}

/** The facts of a batch. A list is null when nothing was found. */
export interface FactRows {
  ruleSet: RuleSet;
  organizations: Organization[] | null;
  clients: { id: string; status: ClientStatus; scopes: Scope[] }[] | null;
  memberships: (PoolMembership & { insurerCode: string })[] | null;
  policies: (RegisteredPolicy & { insurerCode: string; policyNumber: string })[] | null;
  registered: RegisteredCertificate[] | null;
  identifiers: { vehicleId: string; kind: IdentifierKind; value: string; rank: number }[] | null;
  /** The revision of each vehicle, by its id. */
  revisions: Record<string, string> | null;
  certificates:
    | { vehicleId: string; certificateId: string; revision: string; from: string; to: string }[]
    | null;
  referenceRegions: string[] | null;
  referenceVehicles: ReferenceVehicle[] | null;
}

interface RegisteredCertificate {
  insurerCode: string;
  policyNumber: string;
  cocNumber: string;
  certificateId: string;
  registryReference: string;
  lifecycle: Lifecycle;
  vehicles: Identifiers[];
}

/** Reads all facts in one statement, so that they belong to one snapshot. `now` selects the active rule set. */
export async function queryFacts(tx: Tx, names: FactNames, now: Date): Promise<FactRows> {
  const { submissions } = names;
  const vehicles = submissions.flatMap((submission) => submission.vehicles);
  const insurerCodes = submissions.map(({ issuingInsurerCode }) => issuingInsurerCode ?? '');
  const keys = vehicles.flatMap(presentIdentifiers).map(identifierKey);
  const [row] = await tx.$queryRaw<{ facts: FactRows }[]>`
    WITH asked AS (
      SELECT DISTINCT * FROM unnest(${insurerCodes}::text[],
        ${submissions.map(({ policy }) => policy.policyNumber ?? '')}::text[],
        ${submissions.map(({ certificate }) => certificate.cocNumber ?? '')}::text[])
        AS a (insurer_code, policy_number, coc_number)
    ), known_policies AS (
      SELECT p.*, p.xmin::text AS revision, o.code AS insurer_code
      FROM (SELECT DISTINCT insurer_code, policy_number FROM asked) a
      JOIN organizations o ON o.code = a.insurer_code
      CROSS JOIN LATERAL (
        SELECT *, xmin FROM policies
        WHERE issuing_insurer_id = o.id AND policy_number = a.policy_number LIMIT 1) p
    ), owners AS (
      SELECT DISTINCT vehicle_id
      FROM ${rowsWhere('vehicle_identifiers', Prisma.sql`key = ANY(${keys}::bigint[])`)} owned
    )
    SELECT json_build_object('ruleSet', ${ruleSetAt(now)}, 'organizations', ${organizations(names)},
      'clients', ${clients(names)}, 'memberships', ${membershipsOf(insurerCodes)},
      'policies', ${POLICIES}, 'registered', ${REGISTERED}, 'identifiers', ${IDENTIFIERS},
      'revisions', ${REVISIONS}, 'certificates', ${CERTIFICATES},
      'referenceRegions', (SELECT json_agg(region) FROM reference_regions),
      'referenceVehicles', ${referenceVehicles(vehicles)}) AS facts`;
  if (row === undefined) throw new Error('the query for the facts of a batch returned no row');
  return row.facts;
}

function ruleSetAt(now: Date): Prisma.Sql {
  return Prisma.sql`(
    SELECT json_build_object('coverageTypes', coverage_types, 'maxCoverageDays', max_coverage_days,
      'maxVehiclesPerCertificate', max_vehicles_per_certificate, 'expiringWithinDays', expiring_within_days,
      'flagNoMatch', flag_no_match, 'flagForReview', flag_for_review)
    FROM rule_sets WHERE active_from <= ${now} ORDER BY active_from DESC, created_at DESC LIMIT 1)`;
}

function organizations({ submissions, organizationIds }: FactNames): Prisma.Sql {
  const codes = submissions.flatMap(({ issuingInsurerCode, poolCode }) => [
    issuingInsurerCode ?? '',
    poolCode ?? '',
  ]);
  return Prisma.sql`(
    SELECT json_agg(json_build_object('id', id, 'code', code, 'name', name, 'type', type, 'status', status))
    FROM organizations WHERE code = ANY(${codes}::text[]) OR id = ANY(${organizationIds}::uuid[]))`;
}

function clients({ apiClientIds }: FactNames): Prisma.Sql {
  return Prisma.sql`(
    SELECT json_agg(json_build_object('id', id, 'status', status, 'scopes', scopes))
    FROM api_clients WHERE id = ANY(${apiClientIds}::uuid[]))`;
}

function membershipsOf(insurerCodes: readonly string[]): Prisma.Sql {
  return Prisma.sql`(
    SELECT json_agg(json_build_object('insurerCode', i.code, 'poolId', m.pool_id, 'poolCode', p.code,
      'poolStatus', p.status, 'leadInsurerId', ip.lead_insurer_id, 'managementCompanyId', ip.management_company_id,
      'validFrom', m.valid_from, 'validTo', m.valid_to))
    FROM organizations i JOIN pool_memberships m ON m.insurer_id = i.id
    JOIN insurance_pools ip ON ip.organization_id = m.pool_id
    JOIN organizations p ON p.id = m.pool_id
    WHERE i.code = ANY(${insurerCodes}::text[]))`;
}

const POLICIES = Prisma.sql`(
  SELECT json_agg(json_build_object('insurerCode', p.insurer_code, 'policyNumber', p.policy_number,
    'id', p.id, 'revision', p.revision, 'issuanceDate', p.issuance_date, 'coverageType', p.coverage_type,
    'premiumAmount', p.premium_amount::text, 'officialReceiptNumber', p.official_receipt_number,
    'remarks', p.remarks, 'poolId', p.pool_id, 'poolCode', o.code))
  FROM known_policies p LEFT JOIN organizations o ON o.id = p.pool_id)`;

/** Certificates that already have a submission's certificate number under its policy. */
const REGISTERED = Prisma.sql`(
  SELECT json_agg(json_build_object('insurerCode', p.insurer_code, 'policyNumber', p.policy_number,
    'cocNumber', c.coc_number, 'certificateId', c.id, 'registryReference', c.registry_reference,
    'lifecycle', c.lifecycle, 'vehicles', (
      SELECT coalesce(json_agg(v.registered), '[]') FROM certificate_vehicles v
      WHERE v.certificate_id = c.id AND v.removed_in_version IS NULL)))
  FROM asked a JOIN known_policies p USING (insurer_code, policy_number)
  CROSS JOIN LATERAL (
    SELECT * FROM certificates WHERE policy_id = p.id AND coc_number = a.coc_number LIMIT 1) c)`;

/** All identifiers of the vehicles that own one of the submissions' identifiers. */
const IDENTIFIERS = Prisma.sql`(
  SELECT json_agg(json_build_object('vehicleId', i.vehicle_id, 'kind', kind, 'value', value, 'rank', rank))
  FROM owners o CROSS JOIN ${rowsWhere('vehicle_identifiers', Prisma.sql`vehicle_id = o.vehicle_id`)} i)`;

const REVISIONS = Prisma.sql`(
  SELECT json_object_agg(v.id, v.xmin::text)
  FROM owners o CROSS JOIN LATERAL (SELECT id, xmin FROM vehicles WHERE id = o.vehicle_id LIMIT 1) v)`;

/**
 * The certificates in force on these vehicles. The condition on removed vehicles stands outside the subquery: otherwise the
 * planner of a young registry would scan a whole partial index.
 */
const CERTIFICATES = Prisma.sql`(
  SELECT json_agg(json_build_object('vehicleId', v.vehicle_id, 'certificateId', c.id,
    'revision', c.xmin::text, 'from', c.effective_date, 'to', c.expiration_date))
  FROM owners o
  CROSS JOIN ${rowsWhere('certificate_vehicles', Prisma.sql`vehicle_id = o.vehicle_id`)} v
  CROSS JOIN LATERAL (SELECT *, xmin FROM certificates WHERE id = v.certificate_id LIMIT 1) c
  WHERE v.removed_in_version IS NULL AND c.lifecycle = 'CURRENT')`;

function referenceVehicles(vehicles: readonly Identifiers[]): Prisma.Sql {
  const valuesOf = (kind: IdentifierKind) => vehicles.flatMap((vehicle) => vehicle[kind] ?? []);
  return Prisma.sql`(
    SELECT json_agg(json_build_object('id', id::text, 'plateNumber', plate_number, 'mvFileNumber', mv_file_number,
      'engineNumber', engine_number, 'chassisNumber', chassis_number))
    FROM reference_vehicles
    WHERE plate_number = ANY(${valuesOf('plateNumber')}::text[])
      OR mv_file_number = ANY(${valuesOf('mvFileNumber')}::text[])
      OR engine_number = ANY(${valuesOf('engineNumber')}::text[])
      OR chassis_number = ANY(${valuesOf('chassisNumber')}::text[]))`;
}
