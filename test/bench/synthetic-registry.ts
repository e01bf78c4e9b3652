import type { Client } from 'pg';

export interface RegistrySize {
  readonly vehicles: number;
  /** Certificates under one policy, as of a large fleet. */
  readonly fleetCertificates: number;
}

/** The operator of every certificate: sealed once, under this associated data. */
export interface SealedOperator {
  readonly id: string;
  readonly sealed: Buffer;
}

/** Certificates past and present: each vehicle is on one that has expired and on one that is in force. */
const CERTIFICATES_PER_PERIOD = 2;
const VEHICLES_PER_CERTIFICATE = 2;
const CERTIFICATES_PER_POLICY = 4;
/** Every so many vehicles one has a historical plate besides its own. */
const HISTORICAL_EVERY = 5;

const uuid = (prefix: string, number: string) =>
  `('${prefix}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
/** The same 64 bits as identifierKey. */
const key = (text: string) =>
  `('x' || encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;

/**
 * Fills a migrated, empty database with a registry of that size. Vehicle n has the identifiers Pn, MFn, ENn and
 * CHn; certificate n has the reference PPAI-2026-<n>, the number COCn and the policy POL<n / 4>. Needs a superuser.
 */
export async function fillRegistry(
  client: Client,
  { vehicles, fleetCertificates }: RegistrySize,
  operator: SealedOperator,
): Promise<void> {
  const certificates = (vehicles / VEHICLES_PER_CERTIFICATE) * CERTIFICATES_PER_PERIOD;
  const perPeriod = certificates / CERTIFICATES_PER_PERIOD;
  const policyOf = `CASE WHEN n <= ${fleetCertificates} THEN 0 ELSE n / ${CERTIFICATES_PER_POLICY} END`;
  // Foreign keys are true by construction, and checking them would take minutes.
  await client.query(`SET session_replication_role = replica`);
  const statements = [
    `INSERT INTO organizations (id, code, name, type)
     SELECT ${uuid('00000000', 'n')}, 'INS-' || n, 'Insurer ' || n, 'INSURANCE_COMPANY' FROM generate_series(1, 40) n`,
    `INSERT INTO organizations (id, code, name, type)
     VALUES (${uuid('00000000', '100')}, 'POOL', 'Pool', 'INSURANCE_POOL')`,
    `INSERT INTO insurance_pools (organization_id, lead_insurer_id, management_company_id)
     VALUES (${uuid('00000000', '100')}, ${uuid('00000000', '1')}, ${uuid('00000000', '2')})`,
    `INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, pool_id, created_at)
     SELECT ${uuid('11111111', 'n')}, ${uuid('00000000', '(n % 40) + 1')}, 'POL' || n, '2026-01-01', 'PPAI_STANDARD',
       CASE WHEN n % 3 = 0 THEN ${uuid('00000000', '100')} END, now()
     FROM generate_series(0, ${certificates} / ${CERTIFICATES_PER_POLICY}) n`,
    `INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
       transmitting_organization_id, effective_date, expiration_date, lifecycle, operator_id, operator_sealed,
       operator_region, registered_at)
     SELECT ${uuid('22222222', 'n')}, 'PPAI-2026-' || lpad(n::text, 9, '0'), n, ${uuid('11111111', policyOf)},
       'COC' || n, ${uuid('00000000', `(${policyOf} % 40) + 1`)}, ${uuid('00000000', `(${policyOf} % 40) + 1`)},
       starts, starts + 364, CASE WHEN n % 50 = 0 THEN 'CANCELLED' ELSE 'CURRENT' END, $1::uuid, $2::bytea, 'NCR', now()
     FROM generate_series(1, ${certificates}) n,
       LATERAL (SELECT '2026-12-31'::date - (n % 365)::int - 365 * (n <= ${perPeriod})::int AS starts) AS period`,
    `INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, vehicle_type, denomination, updated_at)
     SELECT ${uuid('33333333', 'n')}, 'P' || n, 'MF' || n, 'EN' || n, 'CH' || n, 'JEEPNEY', 'PUJ', now()
     FROM generate_series(1, ${vehicles}) n`,
    `INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value)
     SELECT ${key("kind || ':' || prefix || n")}, 0, ${uuid('33333333', 'n')}, kind, prefix || n
     FROM generate_series(1, ${vehicles}) n, (VALUES ('plateNumber', 'P'), ('mvFileNumber', 'MF'),
       ('engineNumber', 'EN'), ('chassisNumber', 'CH')) AS kinds (kind, prefix)`,
    `INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value)
     SELECT ${key("'plateNumber:OLD' || n")}, 0, ${uuid('33333333', 'n')}, 'plateNumber', 'OLD' || n
     FROM generate_series(${HISTORICAL_EVERY}, ${vehicles}, ${HISTORICAL_EVERY}) n`,
    `INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted, added_in_version)
     SELECT ${uuid('22222222', 'n')}, o, ${uuid('33333333', 'vehicle')},
       jsonb_build_object('plateNumber', 'P' || vehicle), '{}', 1
     FROM generate_series(1, ${certificates}) n, generate_series(0, ${VEHICLES_PER_CERTIFICATE - 1}) o,
       LATERAL (SELECT ((n - 1) % ${perPeriod}) * ${VEHICLES_PER_CERTIFICATE} + o + 1 AS vehicle) AS which`,
    `INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
       status, request_hash, body_sealed, policy_number, coc_number, issuing_insurer_code, request_id, received_at,
       completed_at, acknowledgment, certificate_id, target_certificate_id)
     SELECT ${uuid('44444444', 'n')}, n, 'PPAI-TX-2026-' || n, ${uuid('00000000', '(n % 40) + 1')}, 'EXT-' || n,
       'CREATE', 'client', 'ACCEPTED', '', '', 'POL', 'COC', 'INS-1', 'request', now(), now(), '{}',
       ${uuid('22222222', 'n')}, NULL
     FROM generate_series(1, ${certificates}) n`,
    `INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
     SELECT ${uuid('22222222', 'n')}, 1, now(), ${uuid('44444444', 'n')}, ''
     FROM generate_series(1, ${certificates}) n`,
    `INSERT INTO amendments (id, certificate_id, from_version, to_version, reason, diff_sealed, transmission_id, created_at)
     SELECT ${uuid('55555555', 'n')}, ${uuid('22222222', 'n')}, 1, 2, '', '', ${uuid('44444444', 'n')}, now()
     FROM generate_series(10, ${certificates}, 10) n`,
    `INSERT INTO cancellations (certificate_id, cancellation_effective_date, reason_code, reason_text, transmission_id, created_at)
     SELECT ${uuid('22222222', 'n')}, '2026-10-01', 'OTHER', '', ${uuid('44444444', 'n')}, now()
     FROM generate_series(50, ${certificates}, 50) n`,
    `INSERT INTO flags (id, type, certificate_id, region, message, created_at)
     SELECT ${uuid('66666666', 'n')}, 'VEHICLE_MISMATCH', ${uuid('22222222', 'n')}, 'NCR', '', now()
     FROM generate_series(4, ${certificates}, 4) n`,
    'ANALYZE',
  ];
  for (const statement of statements) {
    const values = statement.includes('$2') ? [operator.id, operator.sealed] : [];
    await client.query(statement, values);
  }
}
