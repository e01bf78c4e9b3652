-- What the staff work on: flags by age, parked transmissions, imports of reference data.

CREATE INDEX flags_age ON flags (created_at, id);
CREATE INDEX transmissions_parked ON transmissions (parked_at, id) WHERE parked_at IS NOT NULL;

-- An import of reference data. The row is the truth, the job in the queue a wake-up; leases go by the database's clock.
CREATE TABLE reference_imports (
  id uuid PRIMARY KEY,
  -- In this order files are imported: a later one never loses to an earlier one.
  sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  status text NOT NULL DEFAULT 'QUEUED'
    CHECK (status IN ('QUEUED', 'RUNNING', 'COMPLETED', 'PARTLY_COMPLETED', 'REFUSED', 'FAILED')),
  file_bytes integer NOT NULL,
  file_sha256 bytea NOT NULL,
  -- The uploader, for the audit entry of the outcome.
  actor_id uuid,
  actor_email text,
  actor_role text,
  address text,
  request_id text NOT NULL,
  uploaded_at timestamptz NOT NULL,
  bytes_read integer NOT NULL DEFAULT 0,
  rows_read integer NOT NULL DEFAULT 0,
  error_count integer NOT NULL DEFAULT 0,
  regions jsonb NOT NULL DEFAULT '[]',
  -- Number of takings; a writer that holds an older number changes nothing.
  fence integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  sweep_at timestamptz NOT NULL DEFAULT now(),
  last_error text,
  started_at timestamptz,
  completed_at timestamptz,
  CONSTRAINT reference_imports_terminal_is_complete CHECK (
    (status IN ('QUEUED', 'RUNNING')) = (completed_at IS NULL)
  )
);
CREATE INDEX reference_imports_in_progress ON reference_imports (sequence) WHERE status IN ('QUEUED', 'RUNNING');

-- The file, sealed; associated data is "reference-import/<import_id>/<ordinal>". Stored before its import, gone after it;
-- those of an upload that was cut short have no import.
CREATE TABLE reference_import_chunks (
  import_id uuid NOT NULL,
  ordinal integer NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  sealed bytea NOT NULL,
  PRIMARY KEY (import_id, ordinal)
);

-- The rows read so far by the holder of the fencing number; gone at the end.
CREATE TABLE reference_import_rows (
  import_id uuid NOT NULL REFERENCES reference_imports (id),
  fence integer NOT NULL,
  line integer NOT NULL,
  region text NOT NULL,
  plate_number text,
  mv_file_number text,
  engine_number text,
  chassis_number text,
  PRIMARY KEY (import_id, fence, line)
);

CREATE TABLE reference_import_errors (
  import_id uuid NOT NULL REFERENCES reference_imports (id),
  fence integer NOT NULL,
  line integer NOT NULL,
  -- Counts the errors that are kept.
  position integer NOT NULL,
  region text,
  field text,
  code text NOT NULL CHECK (code IN ('REQUIRED', 'INVALID_FORMAT', 'DUPLICATE_IDENTIFIER_IN_PAYLOAD')),
  message text NOT NULL,
  PRIMARY KEY (import_id, fence, line, position)
);
