-- The staff realm: users, their sign-ins and sessions, and the audit log.

CREATE TABLE staff_users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Lower case: the address as it is typed doesn't matter.
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND char_length(email) BETWEEN 3 AND 254),
  role text NOT NULL CHECK (role IN ('ADMINISTRATOR', 'REVIEWER', 'AUDITOR')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  -- argon2id, in PHC form.
  password_hash text NOT NULL,
  -- False while the password is one that somebody else knows.
  password_is_own boolean NOT NULL DEFAULT false,
  -- Secret of the second factor, sealed; associated data is "staff-totp/<id>". Null until an enrollment is confirmed.
  totp_sealed bytea,
  -- The latest 30-second step whose code was used: no code of it or of an earlier one counts again.
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_signed_in_at timestamptz
);
CREATE INDEX staff_users_newest ON staff_users (created_at, id);

CREATE TABLE staff_recovery_codes (
  user_id uuid NOT NULL REFERENCES staff_users (id),
  -- HMAC-SHA256 under the pepper.
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- Consecutive failures by address, whether or not a user has it: a lock must not tell who exists.
CREATE TABLE staff_sign_in_failures (
  -- SHA-256 of the address in lower case.
  email_hash bytea PRIMARY KEY,
  failures integer NOT NULL,
  locked_until timestamptz,
  last_at timestamptz NOT NULL
);
CREATE INDEX staff_sign_in_failures_last ON staff_sign_in_failures (last_at);

-- A CHALLENGE is a sign-in whose second factor is still due; it admits to nothing else.
CREATE TABLE staff_sessions (
  -- SHA-256 of the cookie's value.
  id_hash bytea PRIMARY KEY,
  stage text NOT NULL CHECK (stage IN ('CHALLENGE', 'SESSION')),
  user_id uuid NOT NULL REFERENCES staff_users (id),
  -- Begins the absolute time-out, and stays when the id is changed.
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  address text NOT NULL,
  -- Secret of an enrollment that is not confirmed, sealed like the user's.
  totp_sealed bytea
);
CREATE INDEX staff_sessions_user ON staff_sessions (user_id);
CREATE INDEX staff_sessions_seen ON staff_sessions (seen_at);

-- Audit -----------------------------------------------------------------------------------------

-- Who did what to what, when, from where. Each entry's hash is SHA-256 over the hash before it and the RFC 8785 form
-- of the entry, so that a change, a removal in the middle or a swap shows.
CREATE TABLE audit_entries (
  sequence bigint PRIMARY KEY,
  -- Whole milliseconds.
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('STAFF', 'COMMAND', 'ANONYMOUS')),
  actor_id uuid,
  actor_email text,
  actor_role text,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text,
  address text,
  request_id text NOT NULL,
  before jsonb,
  after jsonb,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, sequence);
CREATE INDEX audit_entries_target ON audit_entries (target_type, target_id, sequence);
CREATE INDEX audit_entries_action ON audit_entries (action, sequence);
CREATE INDEX audit_entries_at ON audit_entries (at);

-- The last entry, once more: removal at the tail shows. Its row is the lock under which entries are chained.
CREATE TABLE audit_head (
  is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head),
  sequence bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_head (sequence, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- Entries are chained or refused; the head moves with them and in no other way.
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_head SET sequence = NEW.sequence, hash = NEW.hash
  WHERE sequence = NEW.sequence - 1 AND hash = NEW.previous_hash;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'audit entry % does not continue the chain', NEW.sequence USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_are_chained BEFORE INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_stays BEFORE INSERT OR DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_follows BEFORE UPDATE ON audit_head
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_audit_change();

-- The service and its migrations share one role, which owns the tables: it loses the right to change entries here, and
-- only by granting it to itself again, or by disabling the triggers, could it do so; both are acts beyond any statement
-- of the service. A superuser is bound by neither: against that one there is the chain, checked by
-- `npm run admin -- verify-audit` against a head that was written down elsewhere. Where the service runs under a role of its
-- own, grant it SELECT and INSERT on audit_entries, SELECT and UPDATE on audit_head, and ownership of neither.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM PUBLIC, CURRENT_USER;
REVOKE INSERT, DELETE, TRUNCATE ON audit_head FROM PUBLIC, CURRENT_USER;
