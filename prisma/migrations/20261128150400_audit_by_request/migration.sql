-- Staff look up what one request did.
CREATE INDEX audit_entries_request ON audit_entries (request_id, sequence);
