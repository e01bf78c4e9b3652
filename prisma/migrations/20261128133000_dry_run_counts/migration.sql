-- How often each client asked for a dry run (D38). A dry run itself writes nothing; API processes add their counts once a minute.
CREATE TABLE dry_run_counts (
  api_client_id uuid PRIMARY KEY REFERENCES api_clients (id),
  count bigint NOT NULL CHECK (count > 0),
  last_at timestamptz NOT NULL
);
