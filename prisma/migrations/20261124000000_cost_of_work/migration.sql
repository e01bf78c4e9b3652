-- What a worker settled per second, in certificates of one vehicle: one of 500 vehicles takes it as long as fifty of them.
ALTER TABLE worker_processes ADD COLUMN cost_per_second double precision NOT NULL DEFAULT 0;

-- What waits is counted by what it costs, from the indexes alone: rows are as large as their bodies.
DROP INDEX transmissions_sweep;
CREATE INDEX transmissions_sweep ON transmissions (status, sweep_at) INCLUDE (kind, vehicle_count)
  WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL;
DROP INDEX transmissions_backlog_by_organization;
CREATE INDEX transmissions_backlog_by_organization ON transmissions (organization_id, sequence) INCLUDE (kind, vehicle_count)
  WHERE status = 'RECEIVED';
