-- The overview lists the secrets that end next. Only replaced secrets have an end.
CREATE INDEX client_secrets_ending ON client_secrets (expires_at) WHERE expires_at IS NOT NULL;
