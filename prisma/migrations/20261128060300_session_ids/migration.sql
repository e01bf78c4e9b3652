-- What a user calls a session by: the cookie, and its hash, are for the gate alone.
ALTER TABLE staff_sessions ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX staff_sessions_id_key ON staff_sessions (id);
