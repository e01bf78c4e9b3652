-- Gives identifiers to vehicles and claims identifiers for certificates on days, all that are demanded or none (D9):
-- `demanding` certificates get `demanded` identifiers each, or they are returned and nothing stays written. Null when all was
-- granted. A claim names its certificate with the days of cover, and its vehicle, by their places in lists, counted from 1, as
-- an owner is named. The function of that name over whole columns stays for workers of the release before.
--
-- Writers of the same identifiers queue up instead of deadlocking: those of a known vehicle hold its row, and those of a new one
-- meet here, at the primary key of its identifiers, before they claim. So claims are inserted without looking first, which costs
-- a third less; only where one is refused are they inserted one by one, to learn whose.
CREATE FUNCTION claim_coverage(
  owned_keys bigint[], ranks smallint[], owners integer[], kinds text[], owned_values text[],
  claimed_keys bigint[], covers integer[], claimed_for integer[],
  vehicle_ids uuid[], claiming uuid[], since date[], until date[],
  demanding uuid[], demanded integer[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  refused uuid[];
BEGIN
  BEGIN
    INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value)
    SELECT i.key, i.rank, vehicle_ids[i.owner], i.kind, i.value
    FROM unnest(owned_keys, ranks, owners, kinds, owned_values) AS i (key, rank, owner, kind, value)
    ORDER BY i.key, i.rank;
    BEGIN
      INSERT INTO coverage_claims (key, certificate_id, vehicle_id, during)
      SELECT c.key, claiming[c.cover], vehicle_ids[c.vehicle], daterange(since[c.cover], until[c.cover], '[]')
      FROM unnest(claimed_keys, covers, claimed_for) AS c (key, cover, vehicle)
      ORDER BY c.key, claiming[c.cover];
    EXCEPTION WHEN exclusion_violation THEN
      WITH granted AS (
        INSERT INTO coverage_claims (key, certificate_id, vehicle_id, during)
        SELECT c.key, claiming[c.cover], vehicle_ids[c.vehicle], daterange(since[c.cover], until[c.cover], '[]')
        FROM unnest(claimed_keys, covers, claimed_for) AS c (key, cover, vehicle)
        ORDER BY c.key, claiming[c.cover]
        ON CONFLICT ON CONSTRAINT coverage_claims_one_cover DO NOTHING
        RETURNING certificate_id, key
      )
      SELECT array_agg(d.certificate_id) INTO refused
      FROM unnest(demanding, demanded) AS d (certificate_id, keys)
      LEFT JOIN (SELECT g.certificate_id, count(DISTINCT g.key) AS keys FROM granted g GROUP BY g.certificate_id) AS had
        ON had.certificate_id = d.certificate_id
      WHERE coalesce(had.keys, 0) < d.keys;
      IF refused IS NOT NULL THEN
        RAISE SQLSTATE 'PP001';
      END IF;
    END;
  EXCEPTION WHEN SQLSTATE 'PP001' THEN
    -- The outer block ends with what it was granted.
    NULL;
  END;
  RETURN refused;
END $$;

-- Empty where the identifiers were sent as they are registered.
ALTER TABLE certificate_vehicles ALTER COLUMN transmitted DROP NOT NULL;
