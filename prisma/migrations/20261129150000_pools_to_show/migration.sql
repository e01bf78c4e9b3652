-- The organizations that see a pool's records since a change of its lead insurer or management company, but do not yet have all of
-- them in their change feeds (D87). Workers add the records in portions and then remove the row. Until it is restarted, an API
-- process of the previous release adds all records itself, and a worker of the previous release adds none.
CREATE TABLE pools_to_show (
  pool_id uuid NOT NULL REFERENCES insurance_pools (organization_id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The last number of registry_sequence at the time of the change. Records with a higher one were committed after the change, and
  -- their own changes are in the feed.
  last_sequence bigint NOT NULL,
  -- The last record that was added, by its unique key. A new row stands before all records.
  after_policy_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  after_coc_number text NOT NULL DEFAULT '',
  PRIMARY KEY (pool_id, organization_id)
);

-- A portion continues in the order of policies. Costs nothing for a policy without a pool.
CREATE INDEX policies_of_pool ON policies (pool_id, id) WHERE pool_id IS NOT NULL;
DROP INDEX policies_by_pool;
