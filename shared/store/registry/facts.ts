import type { ClientStatus, IdentifierKind, Lifecycle, Scope } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import { arrayLiteral, handOver } from '../../db/large-parameters.ts';
import { rowsWhere } from '../../db/look-up.ts';
import type { Tx } from '../../db/prisma.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Identifiers, identifierText, presentIdentifiers } from '../../domain/identifiers.ts';
import type { Submission } from '../../domain/registration/submission.ts';
import type {
  CanonicalVehicle,
  Facts,
  Organization,
  PoolMembership,
  ReferenceVehicle,
  RegisteredPolicy,
  RuleSet,
} from '../../domain/rules/facts.ts';
import { BorneKeys } from './commit/identifier-key.ts';

/** A submission whose facts are wanted, and who sent it. */
export interface FactsQuestion {
  readonly submission: Submission;
  readonly organizationId: string;
  readonly apiClientId: string | null;
  readonly neededScope: Scope;
}

export interface FactsMoment {
  readonly now: Date;
  /** The registry's date (D8). */
  readonly today: string;
}

/**
 * Everything that a batch of submissions is judged against, one answer per question in their order, in one statement that
 * writes nothing. Blockers and related records are empty until `readBlockersOf` and `readRelatedOf` are asked. `now` chooses the rule set. What is looked up is a
 * subquery with a limit or an offset, as in `rowOf`, so that each is a look-up by the whole key.
 */
export async function readFacts(
  db: Tx,
  questions: readonly FactsQuestion[],
  { now, today }: FactsMoment,
  keys = keysOf(questions),
): Promise<Facts[]> {
  const read = await queryFacts(db, questions, now, keys);
  const organizations = read.organizations ?? [];
  const byId = new Map(organizations.map((one) => [one.id, one]));
  const byCode = new Map(organizations.map((one) => [one.code, one]));
  const clients = new Map((read.clients ?? []).map((one) => [one.id, one]));
  const memberships = groupBy(read.memberships ?? [], ({ insurerCode }) => insurerCode);
  const policies = new Map((read.policies ?? []).map((one) => [numberOf(one), one]));
  const registered = new Map((read.registered ?? []).map((one) => [certificateOf(one), one]));
  const vehicles = readVehicles(read);
  return questions.map((question): Facts => {
    const { submission } = question;
    const insurerCode = submission.issuingInsurerCode ?? '';
    const policyNumber = submission.policy.policyNumber ?? '';
    const cocNumber = submission.certificate.cocNumber ?? '';
    const client = question.apiClientId === null ? undefined : clients.get(question.apiClientId);
    const submitter = byId.get(question.organizationId);
    if (submitter === undefined) throw new Error('the transmitting organization is not registered');
    return {
      today,
      ruleSet: read.ruleSet,
      submitter,
      client: client === undefined ? null : { ...client, neededScope: question.neededScope },
      issuingInsurer: byCode.get(insurerCode) ?? null,
      pool: byCode.get(submission.poolCode ?? '') ?? null,
      memberships: memberships.get(insurerCode) ?? [],
      policy: policies.get(numberOf({ insurerCode, policyNumber })) ?? null,
      registered: registered.get(certificateOf({ insurerCode, policyNumber, cocNumber })) ?? null,
      vehicles: vehiclesOf(submission, vehicles),
      blockers: [],
      related: [],
      referenceRegions: read.referenceRegions ?? [],
      referenceVehicles: read.referenceVehicles ?? [],
    };
  });
}

/** Of all vehicles of the questions. */
export function keysOf(questions: readonly Pick<FactsQuestion, 'submission'>[]): BorneKeys {
  return new BorneKeys(questions.flatMap(({ submission }) => submission.vehicles));
}

interface FactsRow {
  ruleSet: RuleSet;
  organizations: Organization[] | null;
  clients: { id: string; status: ClientStatus; scopes: Scope[] }[] | null;
  memberships: (PoolMembership & { insurerCode: string })[] | null;
  policies: (RegisteredPolicy & { insurerCode: string; policyNumber: string })[] | null;
  registered:
    | {
        insurerCode: string;
        policyNumber: string;
        cocNumber: string;
        certificateId: string;
        registryReference: string;
        lifecycle: Lifecycle;
        vehicles: Identifiers[];
      }[]
    | null;
  identifiers: { vehicleId: string; kind: IdentifierKind; value: string; rank: number }[] | null;
  /** By vehicle. */
  revisions: Record<string, string> | null;
  certificates:
    | { vehicleId: string; certificateId: string; revision: string; from: string; to: string }[]
    | null;
  referenceRegions: string[] | null;
  referenceVehicles: ReferenceVehicle[] | null;
}

async function queryFacts(
  db: Tx,
  questions: readonly FactsQuestion[],
  now: Date,
  keys: BorneKeys,
): Promise<FactsRow> {
  const submissions = questions.map(({ submission }) => submission);
  const vehicles = submissions.flatMap((submission) => submission.vehicles);
  const codes = submissions.flatMap(({ issuingInsurerCode, poolCode }) => [
    issuingInsurerCode ?? '',
    poolCode ?? '',
  ]);
  const insurerCodes = submissions.map(({ issuingInsurerCode }) => issuingInsurerCode ?? '');
  const policyNumbers = submissions.map(({ policy }) => policy.policyNumber ?? '');
  const cocNumbers = submissions.map(({ certificate }) => certificate.cocNumber ?? '');
  const identifiers = {
    keys: keys.array,
    plateNumbers: valuesOf(vehicles, 'plateNumber'),
    mvFileNumbers: valuesOf(vehicles, 'mvFileNumber'),
    engineNumbers: valuesOf(vehicles, 'engineNumber'),
    chassisNumbers: valuesOf(vehicles, 'chassisNumber'),
  };
  const [row] = await handOver(
    identifiers,
    (large) => db.$queryRaw<{ facts: FactsRow }[]>`
      WITH asked AS (
        SELECT DISTINCT * FROM unnest(${insurerCodes}::text[], ${policyNumbers}::text[], ${cocNumbers}::text[])
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
        FROM ${rowsWhere('vehicle_identifiers', Prisma.sql`key = ANY(${large.keys}::bigint[])`)} owned
      )
      SELECT json_build_object(
        'ruleSet', (
          SELECT json_build_object('coverageTypes', coverage_types, 'maxCoverageDays', max_coverage_days,
            'maxVehiclesPerCertificate', max_vehicles_per_certificate, 'expiringWithinDays', expiring_within_days,
            'flagNoMatch', flag_no_match, 'flagForReview', flag_for_review)
          FROM rule_sets WHERE active_from <= ${now} ORDER BY active_from DESC, created_at DESC LIMIT 1),
        'organizations', (
          SELECT json_agg(json_build_object('id', id, 'code', code, 'name', name, 'type', type, 'status', status))
          FROM organizations
          WHERE code = ANY(${codes}::text[])
            OR id = ANY(${questions.map(({ organizationId }) => organizationId)}::uuid[])),
        'clients', (
          SELECT json_agg(json_build_object('id', id, 'status', status, 'scopes', scopes)) FROM api_clients
          WHERE id = ANY(${questions.flatMap(({ apiClientId }) => apiClientId ?? [])}::uuid[])),
        'memberships', (
          SELECT json_agg(json_build_object('insurerCode', i.code, 'poolId', m.pool_id, 'poolCode', p.code,
            'poolStatus', p.status, 'leadInsurerId', ip.lead_insurer_id, 'managementCompanyId', ip.management_company_id,
            'validFrom', m.valid_from, 'validTo', m.valid_to))
          FROM organizations i JOIN pool_memberships m ON m.insurer_id = i.id
          JOIN insurance_pools ip ON ip.organization_id = m.pool_id
          JOIN organizations p ON p.id = m.pool_id
          WHERE i.code = ANY(${insurerCodes}::text[])),
        'policies', (
          SELECT json_agg(json_build_object('insurerCode', p.insurer_code, 'policyNumber', p.policy_number,
            'id', p.id, 'revision', p.revision, 'issuanceDate', p.issuance_date, 'coverageType', p.coverage_type,
            'premiumAmount', p.premium_amount::text, 'officialReceiptNumber', p.official_receipt_number,
            'remarks', p.remarks, 'poolId', p.pool_id, 'poolCode', o.code))
          FROM known_policies p LEFT JOIN organizations o ON o.id = p.pool_id),
        'registered', (
          SELECT json_agg(json_build_object('insurerCode', p.insurer_code, 'policyNumber', p.policy_number,
            'cocNumber', c.coc_number, 'certificateId', c.id, 'registryReference', c.registry_reference,
            'lifecycle', c.lifecycle, 'vehicles', (
              SELECT coalesce(json_agg(v.registered), '[]') FROM certificate_vehicles v
              WHERE v.certificate_id = c.id AND v.removed_in_version IS NULL)))
          FROM asked a JOIN known_policies p USING (insurer_code, policy_number)
          CROSS JOIN LATERAL (
            SELECT * FROM certificates WHERE policy_id = p.id AND coc_number = a.coc_number LIMIT 1) c),
        'identifiers', (
          SELECT json_agg(json_build_object('vehicleId', i.vehicle_id, 'kind', kind, 'value', value, 'rank', rank))
          FROM owners o
          CROSS JOIN ${rowsWhere('vehicle_identifiers', Prisma.sql`vehicle_id = o.vehicle_id`)} i),
        'revisions', (
          SELECT json_object_agg(v.id, v.xmin::text)
          FROM owners o CROSS JOIN LATERAL (SELECT id, xmin FROM vehicles WHERE id = o.vehicle_id LIMIT 1) v),
        'certificates', (
          SELECT json_agg(json_build_object('vehicleId', v.vehicle_id, 'certificateId', c.id,
            'revision', c.xmin::text, 'from', c.effective_date, 'to', c.expiration_date))
          FROM owners o
          CROSS JOIN LATERAL (
            -- The second condition stands outside, or a young registry's planner reads all of certificate_vehicles_present.
            SELECT * FROM certificate_vehicles WHERE vehicle_id = o.vehicle_id OFFSET 0) v
          CROSS JOIN LATERAL (SELECT *, xmin FROM certificates WHERE id = v.certificate_id LIMIT 1) c
          WHERE v.removed_in_version IS NULL AND c.lifecycle = 'CURRENT'),
        'referenceRegions', (SELECT json_agg(region) FROM reference_regions),
        'referenceVehicles', (
          SELECT json_agg(json_build_object('id', id::text, 'plateNumber', plate_number, 'mvFileNumber', mv_file_number,
            'engineNumber', engine_number, 'chassisNumber', chassis_number))
          FROM reference_vehicles
          WHERE plate_number = ANY(${large.plateNumbers}::text[])
            OR mv_file_number = ANY(${large.mvFileNumbers}::text[])
            OR engine_number = ANY(${large.engineNumbers}::text[])
            OR chassis_number = ANY(${large.chassisNumbers}::text[]))
      ) AS facts`,
  );
  if (row === undefined) throw new Error('the facts of a batch came back empty');
  return row.facts;
}

function valuesOf(vehicles: readonly Identifiers[], kind: IdentifierKind): string {
  const values: string[] = [];
  for (const { [kind]: value } of vehicles) {
    if (value !== null) values.push(value);
  }
  return arrayLiteral(values);
}

function readVehicles(read: FactsRow): CanonicalVehicle[] {
  const certificates = groupBy(read.certificates ?? [], ({ vehicleId }) => vehicleId);
  return [...groupBy(read.identifiers ?? [], ({ vehicleId }) => vehicleId)].map(
    ([id, identifiers]) => ({
      id,
      revision: read.revisions?.[id] ?? '',
      identifiers: identifiers.map(({ kind, value, rank }) => ({ kind, value, rank })),
      certificates: (certificates.get(id) ?? []).map(({ certificateId, revision, from, to }) => ({
        certificateId,
        revision,
        period: { from, to },
      })),
    }),
  );
}

/** Those canonical vehicles of the batch that own an identifier of the submission. */
function vehiclesOf(
  submission: Submission,
  canonicals: readonly CanonicalVehicle[],
): CanonicalVehicle[] {
  if (canonicals.length === 0) return [];
  const texts = new Set(submission.vehicles.flatMap(presentIdentifiers).map(identifierText));
  return canonicals.filter(({ identifiers }) =>
    identifiers.some((one) => texts.has(identifierText(one))),
  );
}

function numberOf(one: { insurerCode: string; policyNumber: string }): string {
  return JSON.stringify([one.insurerCode, one.policyNumber]);
}

function certificateOf(one: {
  insurerCode: string;
  policyNumber: string;
  cocNumber: string;
}): string {
  return JSON.stringify([one.insurerCode, one.policyNumber, one.cocNumber]);
}
