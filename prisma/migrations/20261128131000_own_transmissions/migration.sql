-- Lists of an organization's own transmissions (D35, D64). Each state of a transmission is an entry in every index whose condition it
-- meets, so the conditions below keep the number of entries small.
ALTER TABLE transmissions ADD COLUMN batch text;
ALTER TABLE transmissions ALTER COLUMN batch SET STATISTICS 20;

-- Written once, when the transmission becomes terminal.
CREATE INDEX transmissions_terminal_by_organization ON transmissions (organization_id, received_at, sequence)
  WHERE status IN ('ACCEPTED', 'FLAGGED', 'REJECTED');

-- Costs nothing unless a transmission is rejected. Without it, a list of rejected ones would read all others.
CREATE INDEX transmissions_rejected_by_organization ON transmissions (organization_id, received_at, sequence)
  WHERE status = 'REJECTED';

-- The same as `completed_at IS NULL`, worded so that no query of waiting rows can use this index, whatever the planner's statistics say.
CREATE INDEX transmissions_open_by_organization ON transmissions (organization_id, received_at, sequence)
  WHERE coalesce(completed_at, 'infinity') = 'infinity';

-- Costs nothing unless the sender names a batch.
CREATE INDEX transmissions_by_batch ON transmissions (organization_id, batch, received_at, sequence) WHERE batch IS NOT NULL;
