-- The member of staff who works on a flag. Insurers never see it.
ALTER TABLE flags
  ADD COLUMN assignee_id uuid REFERENCES staff_users (id) ON DELETE SET NULL,
  ADD COLUMN assigned_at timestamptz;
ALTER TABLE flags
  ALTER COLUMN assignee_id SET STATISTICS 20,
  ALTER COLUMN assigned_at SET STATISTICS 20;

-- Each serves a filter of the list of flags, in the order of the list.
CREATE INDEX flags_by_plate ON flags (plate_number, created_at, id);
CREATE INDEX flags_by_reviewer ON flags (reviewed_by, created_at, id) WHERE reviewed_by IS NOT NULL;
CREATE INDEX flags_by_assignee ON flags (assignee_id, created_at, id) WHERE assignee_id IS NOT NULL;
-- A filter by the time of the review reads only the reviews of that time.
CREATE INDEX flags_reviewed ON flags (reviewed_at) WHERE reviewed_at IS NOT NULL;
