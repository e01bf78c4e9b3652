-- A pool that gets another lead insurer or management company shows them its records (D37). Without this, that statement walked all
-- certificates of the registry. Costs nothing for a policy without a pool.
CREATE INDEX policies_by_pool ON policies (pool_id) WHERE pool_id IS NOT NULL;

-- Costs nothing unless a transmission is flagged. Without it, a list of flagged ones (D35) read all accepted ones.
CREATE INDEX transmissions_flagged_by_organization ON transmissions (organization_id, received_at, sequence)
  WHERE status = 'FLAGGED';
