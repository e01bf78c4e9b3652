import { Client } from 'pg';
import { bulkLoad, type TableFill } from './bulk-load.ts';

export interface RegistrySize {
  readonly vehicles: number;
  readonly vehiclesPerCertificate: number;
  /** 1: each vehicle is on a certificate in force; 2: also on one that has expired. */
  readonly periods: 1 | 2;
  /** Certificates under the policy of one large fleet. */
  readonly fleetCertificates: number;
  /** The certificates in force start between 287 days before this date and 77 days after it. */
  readonly today: string;
}

/** The operator of every certificate, sealed once with its id as associated data. */
export interface SealedOperator {
  readonly id: string;
  readonly sealed: Buffer;
}

/** 2023-11-14, in milliseconds since 1970. */
const EARLIEST_MS = 1_700_000_000_000;
const CERTIFICATES_PER_POLICY = 4;
/** One vehicle in five also has a historical plate. */
const HISTORICAL_EVERY = 5;
/** No cover ends later than this many days after `today`. */
export const COVERED_DAYS_MAX = 442;

/** A UUID of version 7, like the registry's own ids, with a past time. Ids are in the order of their numbers. */
const uuid = (kind: string, number: string) =>
  `(lpad(to_hex(${EARLIEST_MS} + (${number})), 12, '0') || overlay(overlay(substr(md5('${kind}' || ${number}), 13) placing '7' from 1) placing '8' from 5))::uuid`;
/** Must equal `identifierKey`. */
const key = (text: string) =>
  `('x' || encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;
const reference = (prefix: string, number: string) =>
  `'${prefix}-2026-' || lpad(${number}::text, 9, '0')`;

const KINDS = `(VALUES ('plateNumber', 'P'), ('mvFileNumber', 'MF'), ('engineNumber', 'EN'),
  ('chassisNumber', 'CH')) AS kinds (kind, prefix)`;

/**
 * Empties the registry's tables of a migrated database and fills them with a registry of this size. Vehicle n has the
 * identifiers Pn, MFn, ENn and CHn; certificate n has the reference PPAI-2026-<n>, the number COCn and the policy POL<n / 4>.
 * Needs a superuser.
 */
export async function fillRegistry(
  url: string,
  size: RegistrySize,
  operator: SealedOperator,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO organizations (id, code, name, type)
       SELECT ${uuid('o', 'n')}, 'INS-' || n, 'Insurer ' || n, 'INSURANCE_COMPANY' FROM generate_series(1, 40) n`,
    );
    await client.query(
      `INSERT INTO organizations (id, code, name, type)
       VALUES (${uuid('o', '100')}, 'POOL', 'Pool', 'INSURANCE_POOL')`,
    );
    await client.query(
      `INSERT INTO insurance_pools (organization_id, lead_insurer_id, management_company_id)
       VALUES (${uuid('o', '100')}, ${uuid('o', '1')}, ${uuid('o', '2')})`,
    );
    await bulkLoad(url, fillsOf(size, operator));
    const certificates = certificatesOf(size);
    for (const sequence of ['registry_sequence', 'transmission_sequence'])
      await client.query(`SELECT setval('${sequence}', ${certificates})`);
  } finally {
    await client.end();
  }
}

function certificatesOf({ vehicles, vehiclesPerCertificate, periods }: RegistrySize): number {
  return Math.ceil(vehicles / vehiclesPerCertificate) * periods;
}

/** Sorted so that the tables that take longest come first. */
function fillsOf(size: RegistrySize, operator: SealedOperator): TableFill[] {
  const { vehicles, vehiclesPerCertificate, periods, fleetCertificates, today } = size;
  const certificates = certificatesOf(size);
  const perPeriod = certificates / periods;
  const policyOf = `CASE WHEN n <= ${fleetCertificates} THEN 0 ELSE n / ${CERTIFICATES_PER_POLICY} END`;
  const insurerOf = uuid('o', `((${policyOf}) % 40) + 1`);
  const startOf = (n: string) =>
    `('${today}'::date + 77 - (${n} % 365)::int - 365 * (${n} <= ${certificates - perPeriod})::int)`;
  // The number of the certificate in force of vehicle n.
  const certificateOf = `(${certificates - perPeriod} + (n - 1) / ${vehiclesPerCertificate} + 1)`;
  const inForce = (one: string) =>
    `CASE WHEN ${certificateOf} % 50 <> 0 THEN ARRAY[${one}] ELSE '{}' END`;
  const everyCertificate = `FROM generate_series(1, ${certificates}) n`;
  return [
    {
      table: 'vehicle_identifiers',
      insert: `INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
       SELECT ${key("kind || ':' || prefix || n")}, 0, ${uuid('v', 'n')}, kind, prefix || n, ${inForce(uuid('c', certificateOf))},
         ${inForce(`daterange(${startOf(certificateOf)}, ${startOf(certificateOf)} + 365)`)}
       FROM generate_series(1, ${vehicles}) n, ${KINDS}
       UNION ALL
       SELECT ${key("'plateNumber:OLD' || n")}, 0, ${uuid('v', 'n')}, 'plateNumber', 'OLD' || n, '{}', '{}'
       FROM generate_series(${HISTORICAL_EVERY}, ${vehicles}, ${HISTORICAL_EVERY}) n`,
    },
    {
      table: 'certificate_vehicles',
      insert: `INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted, added_in_version)
       SELECT ${uuid('c', `(${certificateOf} - p * ${perPeriod})`)}, (n - 1) % ${vehiclesPerCertificate}, ${uuid('v', 'n')},
         jsonb_build_object('plateNumber', 'P' || n), '{}', 1
       FROM generate_series(0, ${periods - 1}) p, generate_series(1, ${vehicles}) n`,
    },
    {
      table: 'vehicles',
      insert: `INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, vehicle_type, denomination, updated_at)
       SELECT ${uuid('v', 'n')}, 'P' || n, 'MF' || n, 'EN' || n, 'CH' || n, 'JEEPNEY', 'PUJ', now()
       FROM generate_series(1, ${vehicles}) n`,
    },
    {
      table: 'transmissions',
      insert: `INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
         status, request_hash, body_sealed, policy_number, coc_number, issuing_insurer_code, request_id, received_at,
         completed_at, acknowledgment, certificate_id, target_certificate_id)
       SELECT ${uuid('t', 'n')}, n, ${reference('PPAI-TX', 'n')}, ${uuid('o', '(n % 40) + 1')}, 'EXT-' || n,
         'CREATE', 'client', 'ACCEPTED', '', '', 'POL', 'COC', 'INS-1', 'request', now(), now(), '{}',
         ${uuid('c', 'n')}, NULL
       ${everyCertificate}`,
    },
    {
      table: 'certificates',
      insert: `INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
         transmitting_organization_id, effective_date, expiration_date, lifecycle, operator_id, operator_sealed,
         operator_region, registered_at)
       SELECT ${uuid('c', 'n')}, ${reference('PPAI', 'n')}, n, ${uuid('p', `(${policyOf})`)},
         'COC' || n, ${insurerOf}, ${insurerOf}, ${startOf('n')}, ${startOf('n')} + 364,
         CASE WHEN n % 50 = 0 THEN 'CANCELLED' ELSE 'CURRENT' END, $1::uuid, $2::bytea, 'NCR', now()
       ${everyCertificate}`,
      values: [operator.id, operator.sealed],
    },
    {
      table: 'certificate_versions',
      insert: `INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
       SELECT ${uuid('c', 'n')}, 1, now(), ${uuid('t', 'n')}, '' ${everyCertificate}`,
    },
    {
      table: 'policies',
      insert: `INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, pool_id, created_at)
       SELECT ${uuid('p', 'n')}, ${uuid('o', '(n % 40) + 1')}, 'POL' || n, '2026-01-01', 'PPAI_STANDARD',
         CASE WHEN n % 3 = 0 THEN ${uuid('o', '100')} END, now()
       FROM generate_series(0, ${certificates} / ${CERTIFICATES_PER_POLICY}) n`,
    },
    {
      table: 'flags',
      insert: `INSERT INTO flags (id, type, certificate_id, region, message, created_at)
       SELECT ${uuid('f', 'n')}, 'VEHICLE_MISMATCH', ${uuid('c', 'n')}, 'NCR', '', now()
       FROM generate_series(4, ${certificates}, 4) n`,
    },
    {
      table: 'amendments',
      insert: `INSERT INTO amendments (id, certificate_id, from_version, to_version, reason, diff_sealed, transmission_id, created_at)
       SELECT ${uuid('a', 'n')}, ${uuid('c', 'n')}, 1, 2, '', '', ${uuid('t', 'n')}, now()
       FROM generate_series(10, ${certificates}, 10) n`,
    },
    {
      table: 'cancellations',
      insert: `INSERT INTO cancellations (certificate_id, cancellation_effective_date, reason_code, reason_text, transmission_id, created_at)
       SELECT ${uuid('c', 'n')}, '2026-10-01', 'OTHER', '', ${uuid('t', 'n')}, now()
       FROM generate_series(50, ${certificates}, 50) n`,
    },
  ];
}
