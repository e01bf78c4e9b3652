-- What a record shows is found without reading the rest of its history (D33): the vehicles on it, those that were removed last,
CREATE INDEX certificate_vehicles_present ON certificate_vehicles (certificate_id, ordinal) WHERE removed_in_version IS NULL;
CREATE INDEX certificate_vehicles_removed ON certificate_vehicles (certificate_id, removed_in_version, ordinal) WHERE removed_in_version IS NOT NULL;
-- its newest flags, and those that are still to be dealt with or were cleared,
CREATE INDEX flags_of_certificate ON flags (certificate_id, created_at, id);
CREATE INDEX flags_unresolved ON flags (certificate_id, status, created_at, id) WHERE status <> 'RESOLVED_BY_AMENDMENT';
DROP INDEX flags_certificate;
-- and the newest transmissions of one organization among those that changed it.
CREATE INDEX transmissions_target_by_organization ON transmissions (target_certificate_id, organization_id, sequence)
  WHERE target_certificate_id IS NOT NULL;
