-- A password that the registry made expires: it allows nothing but choosing another one. Of an own password the moment doesn't count.
-- The default is for those whom the release before creates.
ALTER TABLE staff_users ADD COLUMN password_expires_at timestamptz DEFAULT now() + interval '72 hours';
