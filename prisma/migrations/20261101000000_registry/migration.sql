-- The registry's tables. Closed vocabularies are text under CHECK: api.md, "Enumerations".
-- Times are timestamptz; calendar dates are dates of the registry's time zone (D8).

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Organizations, pools and rules -------------------------------------------------------------

CREATE TABLE organizations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code text NOT NULL UNIQUE CHECK (char_length(code) BETWEEN 1 AND 32),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('REGULATOR', 'INSURANCE_POOL', 'MANAGEMENT_COMPANY', 'INSURANCE_COMPANY')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE insurance_pools (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  lead_insurer_id uuid NOT NULL REFERENCES organizations (id),
  management_company_id uuid REFERENCES organizations (id)
);
CREATE INDEX insurance_pools_lead ON insurance_pools (lead_insurer_id);
CREATE INDEX insurance_pools_management ON insurance_pools (management_company_id);

CREATE TABLE pool_memberships (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pool_id uuid NOT NULL REFERENCES insurance_pools (organization_id),
  insurer_id uuid NOT NULL REFERENCES organizations (id),
  valid_from date NOT NULL,
  valid_to date,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (valid_to IS NULL OR valid_to >= valid_from),
  CONSTRAINT pool_memberships_no_overlap EXCLUDE USING gist (
    pool_id WITH =, insurer_id WITH =, daterange(valid_from, valid_to, '[]') WITH &&
  )
);
CREATE INDEX pool_memberships_insurer ON pool_memberships (insurer_id);

-- The rule set in force is the one with the latest active_from that is not in the future
-- (api.md, "Versioning", 3). A draft has no active_from.
CREATE TABLE rule_sets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  active_from timestamptz,
  coverage_types text[] NOT NULL CHECK (cardinality(coverage_types) >= 1),
  max_coverage_days integer NOT NULL CHECK (max_coverage_days >= 1),
  max_vehicles_per_certificate integer NOT NULL CHECK (max_vehicles_per_certificate BETWEEN 1 AND 500),
  expiring_within_days integer NOT NULL CHECK (expiring_within_days >= 0),
  flag_no_match boolean NOT NULL,
  flag_for_review boolean NOT NULL,
  note text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX rule_sets_active ON rule_sets (active_from DESC) WHERE active_from IS NOT NULL;

INSERT INTO rule_sets (active_from, coverage_types, max_coverage_days, max_vehicles_per_certificate,
  expiring_within_days, flag_no_match, flag_for_review, note, created_by)
VALUES ('2026-01-01T00:00:00Z', '{PPAI_STANDARD}', 400, 500, 30, true, true, 'The defaults of the specification', 'migration');

-- Machine clients ------------------------------------------------------------------------------

CREATE TABLE api_clients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  client_id text NOT NULL UNIQUE,
  name text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  scopes text[] NOT NULL,
  ip_allowlist text[] NOT NULL DEFAULT '{}',
  rate_limit_per_minute integer NOT NULL DEFAULT 120 CHECK (rate_limit_per_minute >= 1),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_clients_organization ON api_clients (organization_id);

-- A client secret is kept as a keyed hash, a signing secret sealed (D18). Several may be valid
-- while one is being replaced.
CREATE TABLE client_secrets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  api_client_id uuid NOT NULL REFERENCES api_clients (id),
  kind text NOT NULL CHECK (kind IN ('CLIENT_SECRET', 'SIGNING_SECRET')),
  version integer NOT NULL,
  protected bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  UNIQUE (api_client_id, kind, version)
);

CREATE TABLE access_tokens (
  token_hash bytea PRIMARY KEY,
  api_client_id uuid NOT NULL REFERENCES api_clients (id),
  scopes text[] NOT NULL,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

-- Nonces of signed requests (D19); with Redis they live there. The row of client '' says since when, in Unix
-- seconds, the table has seen every nonce; its absence means that the table was emptied.
CREATE TABLE nonces (
  client_id text NOT NULL,
  nonce text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, nonce)
);
CREATE INDEX nonces_expiry ON nonces (expires_at);

-- With either store a second copy of those whose timestamps lay ahead of the clock: when the store is lost,
-- its epoch alone can't tell them from new ones.
CREATE TABLE nonces_ahead (
  client_id text NOT NULL,
  nonce text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, nonce)
);
CREATE INDEX nonces_ahead_expiry ON nonces_ahead (expires_at);

-- Which store has the nonces of this registry.
CREATE TABLE nonce_keepers (
  store text PRIMARY KEY CHECK (store IN ('postgres', 'redis'))
);

-- Embedded shape: windows of the rate limits.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- Transmissions --------------------------------------------------------------------------------

CREATE SEQUENCE transmission_sequence;
CREATE SEQUENCE registry_sequence;

CREATE TABLE transmissions (
  id uuid PRIMARY KEY,
  sequence bigint NOT NULL,
  transmission_reference text NOT NULL UNIQUE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  api_client_id uuid REFERENCES api_clients (id),
  external_transaction_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('CREATE', 'AMEND', 'CANCEL')),
  channel text NOT NULL DEFAULT 'API' CHECK (channel IN ('API', 'PORTAL', 'BULK_UPLOAD')),
  actor text NOT NULL,
  status text NOT NULL DEFAULT 'RECEIVED' CHECK (status IN ('RECEIVED', 'VALIDATING', 'ACCEPTED', 'FLAGGED', 'REJECTED')),
  -- SHA-256 over operation, target and RFC 8785 form of the body (D5).
  request_hash bytea NOT NULL,
  -- The body as sent, sealed; associated data is the id (D22).
  body_sealed bytea NOT NULL,
  unknown_fields text[] NOT NULL DEFAULT '{}',
  vehicle_count integer NOT NULL DEFAULT 0,
  policy_number text,
  coc_number text,
  -- As sent; the insurer of that code sees the transmission (D4).
  issuing_insurer_code text,
  target_certificate_id uuid,
  request_id text NOT NULL,
  -- By the API's clock, which is the registry's (D8); recorded_at is the database's and measures waiting.
  received_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  -- Number of takings; a writer that holds an older number changes nothing.
  fence integer NOT NULL DEFAULT 0,
  -- Takings that ended in an error of ours.
  failures integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- Not taken again before this moment: the lease of the taker, or the pause after a failure.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- When the sweeper looks at the row next.
  sweep_at timestamptz NOT NULL DEFAULT now(),
  last_error text,
  parked_at timestamptz,
  completed_at timestamptz,
  -- Served as it is: json keeps the text.
  acknowledgment json,
  error_code text,
  certificate_id uuid,
  CONSTRAINT transmissions_idempotency UNIQUE (organization_id, external_transaction_id),
  CONSTRAINT transmissions_terminal_is_complete CHECK (
    (status IN ('RECEIVED', 'VALIDATING')) = (completed_at IS NULL)
    AND (completed_at IS NULL) = (acknowledgment IS NULL)
  )
);
CREATE INDEX transmissions_sweep ON transmissions (sweep_at)
  WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL;
CREATE INDEX transmissions_backlog ON transmissions (sequence)
  WHERE status IN ('RECEIVED', 'VALIDATING');
CREATE INDEX transmissions_certificate ON transmissions (certificate_id, sequence) WHERE certificate_id IS NOT NULL;
CREATE INDEX transmissions_target ON transmissions (target_certificate_id, sequence) WHERE target_certificate_id IS NOT NULL;

-- One row a worker process; stale ones are removed by the others. Readiness and rates come from here.
CREATE TABLE worker_processes (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  last_taken_at timestamptz,
  settled bigint NOT NULL DEFAULT 0,
  settled_per_second double precision NOT NULL DEFAULT 0
);

-- "Only rows that are RECEIVED or VALIDATING move; a terminal row never changes again" (D2).
CREATE FUNCTION refuse_terminal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'transmission % is terminal and never changes', OLD.transmission_reference
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER transmissions_terminal_is_final BEFORE UPDATE ON transmissions
  FOR EACH ROW WHEN (OLD.status IN ('ACCEPTED', 'FLAGGED', 'REJECTED'))
  EXECUTE FUNCTION refuse_terminal_change();

-- The registry ---------------------------------------------------------------------------------

CREATE TABLE policies (
  id uuid PRIMARY KEY,
  issuing_insurer_id uuid NOT NULL REFERENCES organizations (id),
  policy_number text NOT NULL,
  issuance_date date NOT NULL,
  coverage_type text NOT NULL,
  premium_amount numeric,
  official_receipt_number text,
  remarks text,
  pool_id uuid REFERENCES insurance_pools (organization_id),
  created_at timestamptz NOT NULL,
  CONSTRAINT policies_number UNIQUE (issuing_insurer_id, policy_number)
);
CREATE INDEX policies_by_number ON policies (policy_number);

CREATE TABLE certificates (
  id uuid PRIMARY KEY,
  registry_reference text NOT NULL UNIQUE,
  sequence bigint NOT NULL,
  policy_id uuid NOT NULL REFERENCES policies (id),
  coc_number text NOT NULL,
  issuing_insurer_id uuid NOT NULL REFERENCES organizations (id),
  transmitting_organization_id uuid NOT NULL REFERENCES organizations (id),
  effective_date date NOT NULL,
  expiration_date date NOT NULL,
  insurer_verification_reference text,
  lifecycle text NOT NULL DEFAULT 'CURRENT' CHECK (lifecycle IN ('CURRENT', 'CANCELLED')),
  current_version integer NOT NULL DEFAULT 1 CHECK (current_version >= 1),
  operator_id uuid NOT NULL,
  -- The operator as JSON, sealed; associated data is operator_id (D22).
  operator_sealed bytea NOT NULL,
  operator_region text NOT NULL,
  registered_at timestamptz NOT NULL,
  CHECK (expiration_date > effective_date),
  -- The pair is never free again for that insurer, cancelled or not (D11).
  CONSTRAINT certificates_number UNIQUE (policy_id, coc_number)
);
CREATE INDEX certificates_by_coc ON certificates (coc_number);

CREATE TABLE vehicles (
  id uuid PRIMARY KEY,
  plate_number text NOT NULL,
  mv_file_number text NOT NULL,
  engine_number text NOT NULL,
  chassis_number text NOT NULL,
  make text,
  model text,
  year_model integer,
  vehicle_type text NOT NULL,
  denomination text NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Every identifier a canonical vehicle was ever registered with (D10). `key` is the first 64 bits of
-- SHA-256 over kind and value. Two vehicles may come to own one identifier (IDENTIFIER_CONFLICT);
-- `rank` numbers the owners, so that two writers can't both become the first.
CREATE TABLE vehicle_identifiers (
  key bigint NOT NULL,
  rank smallint NOT NULL,
  vehicle_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber')),
  value text NOT NULL,
  PRIMARY KEY (key, rank)
);
CREATE INDEX vehicle_identifiers_vehicle ON vehicle_identifiers (vehicle_id);

CREATE TABLE certificate_vehicles (
  certificate_id uuid NOT NULL REFERENCES certificates (id),
  ordinal integer NOT NULL,
  vehicle_id uuid NOT NULL REFERENCES vehicles (id),
  -- The vehicle as registered on this certificate: normalized identifiers and description.
  registered jsonb NOT NULL,
  -- The four identifiers as sent.
  transmitted jsonb NOT NULL,
  reference_match text,
  added_in_version integer NOT NULL,
  removed_in_version integer,
  PRIMARY KEY (certificate_id, ordinal)
);
CREATE INDEX certificate_vehicles_vehicle ON certificate_vehicles (vehicle_id, certificate_id);

-- One cover a vehicle a day (D9), kept by the database: a row for every identifier of a vehicle on a
-- certificate in force. The rows of a cancelled certificate are removed.
CREATE TABLE coverage_claims (
  key bigint NOT NULL,
  certificate_id uuid NOT NULL,
  vehicle_id uuid NOT NULL,
  during daterange NOT NULL,
  CONSTRAINT coverage_claims_one_cover EXCLUDE USING gist (key WITH =, during WITH &&, certificate_id WITH <>)
);
CREATE INDEX coverage_claims_certificate ON coverage_claims (certificate_id);

CREATE TABLE certificate_versions (
  certificate_id uuid NOT NULL REFERENCES certificates (id),
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  superseded_at timestamptz,
  transmission_id uuid NOT NULL REFERENCES transmissions (id),
  -- Sealed JSON; associated data is "<certificate_id>/<version>".
  snapshot_sealed bytea NOT NULL,
  PRIMARY KEY (certificate_id, version)
);

CREATE TABLE amendments (
  id uuid PRIMARY KEY,
  certificate_id uuid NOT NULL REFERENCES certificates (id),
  from_version integer NOT NULL,
  to_version integer NOT NULL,
  reason text NOT NULL,
  -- Sealed JSON; associated data is the id.
  diff_sealed bytea NOT NULL,
  transmission_id uuid NOT NULL REFERENCES transmissions (id),
  created_at timestamptz NOT NULL,
  UNIQUE (certificate_id, to_version),
  CHECK (to_version = from_version + 1)
);

CREATE TABLE cancellations (
  certificate_id uuid PRIMARY KEY REFERENCES certificates (id),
  cancellation_effective_date date NOT NULL,
  reason_code text NOT NULL,
  reason_text text NOT NULL,
  supporting_reference text,
  document_id uuid,
  transmission_id uuid NOT NULL REFERENCES transmissions (id),
  created_at timestamptz NOT NULL
);

CREATE TABLE flags (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('POSSIBLE_DUPLICATE', 'OVERLAPPING_COVERAGE', 'VEHICLE_MISMATCH', 'IDENTIFIER_CONFLICT')),
  status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'CLEARED', 'REFERRED_TO_INSURER', 'RESOLVED_BY_AMENDMENT')),
  certificate_id uuid NOT NULL REFERENCES certificates (id),
  vehicle_id uuid,
  related_certificate_id uuid,
  plate_number text,
  region text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  message text NOT NULL,
  reviewed_by text,
  reviewed_at timestamptz,
  review_notes text,
  created_at timestamptz NOT NULL
);
CREATE INDEX flags_certificate ON flags (certificate_id);
CREATE INDEX flags_status ON flags (status, created_at);

-- Regulator reference data (level 4) -------------------------------------------------------------

CREATE TABLE reference_regions (
  region text PRIMARY KEY,
  imported_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reference_vehicles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  region text NOT NULL REFERENCES reference_regions (region),
  plate_number text,
  mv_file_number text,
  engine_number text,
  chassis_number text
);
CREATE INDEX reference_vehicles_region ON reference_vehicles (region);
CREATE INDEX reference_vehicles_plate ON reference_vehicles (plate_number);
CREATE INDEX reference_vehicles_mv_file ON reference_vehicles (mv_file_number);
CREATE INDEX reference_vehicles_engine ON reference_vehicles (engine_number);
CREATE INDEX reference_vehicles_chassis ON reference_vehicles (chassis_number);
