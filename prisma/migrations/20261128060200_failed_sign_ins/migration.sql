-- Failed sign-ins are audited once in 15 minutes for an account and an address; repeats are counted.

-- The latest entry for an account and an address. Its row is the lock under which a failure becomes an entry or a repeat.
CREATE TABLE staff_failed_sign_ins (
  -- Keyed hash of the e-mail address, whether or not a user has it.
  account_hash bytea NOT NULL,
  -- Of IPv6 the /64.
  network text NOT NULL,
  audited_at timestamptz NOT NULL,
  -- Null only within the transaction that makes the entry.
  audit_sequence bigint,
  PRIMARY KEY (account_hash, network)
);
CREATE INDEX staff_failed_sign_ins_audited ON staff_failed_sign_ins (audited_at);

-- How often what an entry tells happened again. Without a foreign key, which would have to lock entries that nobody may.
CREATE TABLE audit_repeats (
  sequence bigint PRIMARY KEY,
  repeats integer NOT NULL CHECK (repeats > 0),
  last_at timestamptz NOT NULL
);
