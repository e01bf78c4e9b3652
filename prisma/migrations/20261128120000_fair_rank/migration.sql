-- The place of a waiting transmission among those of all organizations (docs/adr/0006-claim-by-fair-rank.md). Workers claim the
-- lowest rank first. NULL: an earlier change of the same record is in progress, so the row must not be claimed yet.
-- Rows from before this column, and rows that an API process of the previous release still inserts, come first.
ALTER TABLE transmissions ADD COLUMN fair_rank bigint DEFAULT 0;
ALTER TABLE transmissions ALTER COLUMN fair_rank SET STATISTICS 20;

UPDATE transmissions t SET fair_rank = NULL
WHERE t.status = 'RECEIVED' AND t.target_certificate_id IS NOT NULL AND EXISTS (
  SELECT FROM transmissions earlier
  WHERE earlier.target_certificate_id = t.target_certificate_id AND earlier.sequence < t.sequence
    AND earlier.status IN ('RECEIVED', 'VALIDATING') AND earlier.parked_at IS NULL);

-- The conditions differ so that each query of waiting rows can use only one of these indexes, whatever the planner's statistics say.
CREATE INDEX transmissions_ranked ON transmissions (fair_rank, sequence)
  WHERE status = 'RECEIVED' AND coalesce(fair_rank, -1) >= 0;
CREATE INDEX transmissions_unranked ON transmissions (sequence) WHERE status = 'RECEIVED' AND fair_rank IS NULL;

DROP INDEX transmissions_backlog_by_organization;
CREATE INDEX transmissions_waiting_by_organization ON transmissions (organization_id, fair_rank) INCLUDE (kind, vehicle_count)
  WHERE status = 'RECEIVED';
