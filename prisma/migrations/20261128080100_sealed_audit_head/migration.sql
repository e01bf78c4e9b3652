-- The head of the audit chain is sealed under a key that is not in the database: who can write to the database alone can
-- rewrite the chain, but not seal it. An entry takes the seal away; whoever adds it seals anew where the seal before it was right.
ALTER TABLE audit_head ADD COLUMN seal bytea, ADD COLUMN seal_key_id text;

CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.audit_head SET sequence = NEW.sequence, hash = NEW.hash, seal = NULL, seal_key_id = NULL
  WHERE sequence = NEW.sequence - 1 AND hash = NEW.previous_hash;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'audit entry % does not continue the chain', NEW.sequence USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

DROP FUNCTION lock_audit_head();
CREATE FUNCTION lock_audit_head() RETURNS TABLE (sequence bigint, hash bytea, seal bytea, seal_key_id text) LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT h.sequence, h.hash, h.seal, h.seal_key_id FROM public.audit_head h FOR UPDATE
$$;
REVOKE EXECUTE ON FUNCTION lock_audit_head() FROM PUBLIC;

-- The head itself still moves with entries alone.
DROP TRIGGER audit_head_follows ON audit_head;
CREATE TRIGGER audit_head_follows BEFORE UPDATE OF is_head, sequence, hash ON audit_head
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_audit_change();

CREATE FUNCTION seal_audit_head(sealed_sequence bigint, new_seal bytea, key_id text) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.audit_head SET seal = new_seal, seal_key_id = key_id WHERE sequence = sealed_sequence
$$;
REVOKE EXECUTE ON FUNCTION seal_audit_head(bigint, bytea, text) FROM PUBLIC;
