-- When each client last obtained a token, kept when its tokens are deleted. A process of the previous release deletes tokens
-- without keeping it; the next token sets it again.
CREATE TABLE client_uses (
  api_client_id uuid PRIMARY KEY REFERENCES api_clients (id),
  last_at timestamptz NOT NULL
);
-- The last token of a client; also serves its revocation.
CREATE INDEX access_tokens_of_client ON access_tokens (api_client_id, issued_at);
