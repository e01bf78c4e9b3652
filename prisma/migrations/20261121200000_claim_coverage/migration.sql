-- Claims identifiers for certificates on days, all that are demanded or none (D9): `demanding` certificates get `demanded`
-- identifiers each, or they are returned and nothing stays claimed. Ordered, so that writers of the same identifiers queue up
-- instead of deadlocking. Null when all was granted.
CREATE FUNCTION claim_coverage(
  claimed_keys bigint[], claiming uuid[], covered_vehicles uuid[], since date[], until date[],
  demanding uuid[], demanded integer[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  refused uuid[];
BEGIN
  BEGIN
    WITH granted AS (
      INSERT INTO coverage_claims (key, certificate_id, vehicle_id, during)
      SELECT c.key, c.certificate_id, c.vehicle_id, daterange(c.first_day, c.last_day, '[]')
      FROM unnest(claimed_keys, claiming, covered_vehicles, since, until)
        AS c (key, certificate_id, vehicle_id, first_day, last_day)
      ORDER BY c.key, c.certificate_id
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
  EXCEPTION WHEN SQLSTATE 'PP001' THEN
    -- The inner block ends with what it was granted.
    NULL;
  END;
  RETURN refused;
END $$;
