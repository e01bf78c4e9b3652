-- Kept by workers for 90 days, for the charts of the console (D83). A worker of the previous release records nothing.

-- One row a minute, whatever number of workers there is.
CREATE TABLE queue_samples (
  minute timestamptz PRIMARY KEY,
  depth int NOT NULL,
  oldest_seconds double precision NOT NULL,
  parked int NOT NULL,
  settled_per_second double precision NOT NULL,
  workers int NOT NULL,
  feed_lag_seconds double precision NOT NULL
);

-- The hours whose transmissions were counted. An hour with transmissions in progress is counted again.
CREATE TABLE counted_hours (
  hour timestamptz PRIMARY KEY,
  counted_at timestamptz NOT NULL,
  in_progress int NOT NULL
);

CREATE TABLE transmission_counts (
  hour timestamptz NOT NULL REFERENCES counted_hours (hour) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  status text NOT NULL,
  -- Empty unless the status is REJECTED.
  error_code text NOT NULL,
  count int NOT NULL CHECK (count > 0),
  PRIMARY KEY (hour, organization_id, status, error_code)
);
