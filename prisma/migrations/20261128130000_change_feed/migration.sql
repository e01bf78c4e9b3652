-- The change feed (D37): one row for each change and each organization that sees it. The nil UUID stands for the regulator. A reader
-- continues after (xid, seq), and reads only rows whose xid is below the oldest transaction id in progress: nothing is committed
-- there any more. There is no foreign key, because the commit of a batch writes all rows or none.
CREATE TABLE changes (
  organization_id uuid NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  transmission_id uuid,
  certificate_id uuid,
  flag_id uuid,
  -- 1 TRANSMISSION_COMPLETED, 2 RECORD_AMENDED, 3 RECORD_CANCELLED, 4 FLAG_CHANGED, 5 RECORD_VISIBLE
  type smallint NOT NULL CHECK (type BETWEEN 1 AND 5),
  -- The record's version at the time of the change.
  version integer
);

-- Identifies the order of the changes. `npm run admin -- renew-feed-epoch` replaces it after a restore.
CREATE TABLE feed_epoch (
  is_current boolean PRIMARY KEY DEFAULT true CHECK (is_current),
  epoch uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO feed_epoch DEFAULT VALUES;

-- One change for each existing record and each organization that sees it (D23), in the order of registration.
INSERT INTO changes (organization_id, transmission_id, certificate_id, type, version)
SELECT viewer.organization_id, v.transmission_id, c.id, 1, c.current_version
FROM certificates c
JOIN policies p ON p.id = c.policy_id
JOIN certificate_versions v ON v.certificate_id = c.id AND v.version = 1
LEFT JOIN insurance_pools pool ON pool.organization_id = p.pool_id
CROSS JOIN LATERAL (
  SELECT DISTINCT organization_id
  FROM unnest(ARRAY[c.transmitting_organization_id, c.issuing_insurer_id, pool.organization_id, pool.lead_insurer_id,
    pool.management_company_id, '00000000-0000-0000-0000-000000000000']) AS organization_id
  WHERE organization_id IS NOT NULL) AS viewer
ORDER BY c.sequence, viewer.organization_id;

ALTER TABLE changes ADD PRIMARY KEY (organization_id, xid, seq);

-- As of all growing tables (planner_statistics).
ALTER TABLE changes SET (autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE changes
  ALTER COLUMN organization_id SET STATISTICS 20,
  ALTER COLUMN xid SET STATISTICS 20,
  ALTER COLUMN seq SET STATISTICS 20,
  ALTER COLUMN transmission_id SET STATISTICS 20,
  ALTER COLUMN certificate_id SET STATISTICS 20,
  ALTER COLUMN flag_id SET STATISTICS 20,
  ALTER COLUMN type SET STATISTICS 20,
  ALTER COLUMN version SET STATISTICS 20;
