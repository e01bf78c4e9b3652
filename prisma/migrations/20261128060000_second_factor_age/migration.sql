-- When the session last proved the second factor. Null, as the release before leaves it: at the sign-in.
ALTER TABLE staff_sessions ADD COLUMN factor_at timestamptz;
