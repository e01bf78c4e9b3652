-- What staff change. `version` counts the changes of a row: of two who change what both have read, the second is refused.

ALTER TABLE organizations ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE insurance_pools ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE pool_memberships ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE api_clients ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE rule_sets ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE INDEX api_clients_newest ON api_clients (created_at, id);

-- Which of two rule sets is in force may not depend on the order in which they were drafted.
CREATE UNIQUE INDEX rule_sets_one_a_moment ON rule_sets (active_from) WHERE active_from IS NOT NULL;

-- "History kept": transmissions were judged by it. Withdrawing one before its moment only takes that moment away.
CREATE FUNCTION refuse_rule_set_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rule set % is activated and never changes', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER rule_sets_activated_is_final BEFORE UPDATE ON rule_sets
  FOR EACH ROW WHEN (
    OLD.active_from IS NOT NULL AND (
      (NEW.active_from IS NOT NULL AND NEW.active_from <> OLD.active_from)
      OR (OLD.coverage_types, OLD.max_coverage_days, OLD.max_vehicles_per_certificate, OLD.expiring_within_days,
          OLD.flag_no_match, OLD.flag_for_review, OLD.note, OLD.created_by, OLD.created_at)
        IS DISTINCT FROM
         (NEW.coverage_types, NEW.max_coverage_days, NEW.max_vehicles_per_certificate, NEW.expiring_within_days,
          NEW.flag_no_match, NEW.flag_for_review, NEW.note, NEW.created_by, NEW.created_at)))
  EXECUTE FUNCTION refuse_rule_set_change();

-- The last transmissions, whoever sent them.
CREATE INDEX transmissions_by_sequence ON transmissions (sequence);
