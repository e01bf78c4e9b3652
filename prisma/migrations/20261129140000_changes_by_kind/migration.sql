-- Costs nothing unless a transmission is an amendment or a cancellation. Without it, a list of them (D35) read all registrations.
-- The kind comes first, because the lists of staff are of all organizations.
CREATE INDEX transmissions_changes_by_kind ON transmissions (kind, organization_id, received_at, sequence)
  WHERE kind <> 'CREATE';
