-- What was taken is found without a look at the backlog behind it.
DROP INDEX transmissions_sweep;
CREATE INDEX transmissions_sweep ON transmissions (status, sweep_at)
  WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL;
