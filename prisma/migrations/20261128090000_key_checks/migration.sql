-- Which keys and peppers this database is used with. A process whose keys differ does not start.
CREATE TABLE key_checks (
  purpose text NOT NULL CHECK (purpose IN ('ENCRYPTION', 'PEPPER')),
  key_id text NOT NULL,
  -- HMAC-SHA256 of a fixed text under the key: equal for equal keys, and no help in finding one.
  check_value bytea NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Nothing is sealed or hashed under it any more.
  retired_at timestamptz,
  PRIMARY KEY (purpose, key_id)
);

-- The pepper a hash was made under. Null: the oldest of key_checks, the only one that earlier releases knew.
ALTER TABLE client_secrets ADD COLUMN pepper_id text;
ALTER TABLE staff_recovery_codes ADD COLUMN pepper_id text;

-- A terminal row never changes again (D2), but its body may be sealed again under a newer key.
CREATE OR REPLACE FUNCTION refuse_terminal_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  resealed transmissions := NEW;
BEGIN
  resealed.body_sealed := OLD.body_sealed;
  IF resealed *<> OLD THEN
    RAISE EXCEPTION 'transmission % is terminal and never changes', OLD.transmission_reference
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
