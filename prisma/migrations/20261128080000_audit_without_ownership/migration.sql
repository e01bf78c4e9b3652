-- The service runs as a role that owns no table. Of the audit log it may read all and add entries, nothing else: the head moves by
-- this trigger and is locked by this function, both with the rights of the owner. A service of the release before, which owns the
-- tables, works on.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.audit_head SET sequence = NEW.sequence, hash = NEW.hash
  WHERE sequence = NEW.sequence - 1 AND hash = NEW.previous_hash;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'audit entry % does not continue the chain', NEW.sequence USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Until the transaction ends nobody else chains an entry.
CREATE FUNCTION lock_audit_head() RETURNS TABLE (sequence bigint, hash bytea) LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT h.sequence, h.hash FROM public.audit_head h FOR UPDATE
$$;
REVOKE EXECUTE ON FUNCTION lock_audit_head() FROM PUBLIC;
