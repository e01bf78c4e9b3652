-- The days on which a certificate covered a vehicle that an amendment removed, as they were then: the certificate may get other
-- days later. Null of a vehicle that is on its certificate, and of one that a worker of the release before removes: these are
-- covered on the certificate's own days. Of earlier removals nothing else is known.
ALTER TABLE certificate_vehicles
  ADD COLUMN covered_from date,
  ADD COLUMN covered_until date;
UPDATE certificate_vehicles v SET covered_from = c.effective_date, covered_until = c.expiration_date
FROM certificates c WHERE c.id = v.certificate_id AND v.removed_in_version IS NOT NULL;
-- As of all columns of this table (planner_statistics).
ALTER TABLE certificate_vehicles
  ALTER COLUMN covered_from SET STATISTICS 20,
  ALTER COLUMN covered_until SET STATISTICS 20;
