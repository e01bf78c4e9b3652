-- One cover a vehicle a day (D9), kept by the database without an index of its own: what is in force on an identifier stands in
-- the row of its first owner, and the row is refused when two of its covers share a day. That there is one such row is the
-- primary key's word, that writers of it come one after the other is its lock's. A certificate has one cover on an identifier.

-- Whether no two of these share a day. Two are the rule from the first renewal on, and are compared without the sub-query.
CREATE FUNCTION are_apart(covers daterange[]) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT NOT EXISTS (
    SELECT FROM unnest(covers) WITH ORDINALITY AS one (days, place), unnest(covers) WITH ORDINALITY AS other (days, place)
    WHERE one.place < other.place AND one.days && other.days)
$$;

ALTER TABLE vehicle_identifiers
  ADD COLUMN covered_by uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN covers daterange[] NOT NULL DEFAULT '{}';

UPDATE vehicle_identifiers i SET covered_by = c.covered_by, covers = c.covers
FROM (
  SELECT key, array_agg(certificate_id ORDER BY during) AS covered_by, array_agg(during ORDER BY during) AS covers
  FROM (SELECT DISTINCT key, certificate_id, during FROM coverage_claims) AS claims GROUP BY key
) AS c
WHERE i.key = c.key AND i.rank = 0;

DO $$
BEGIN
  IF EXISTS (
    SELECT FROM coverage_claims c WHERE NOT EXISTS (
      SELECT FROM vehicle_identifiers i
      WHERE i.key = c.key AND i.rank = 0 AND c.during = i.covers[array_position(i.covered_by, c.certificate_id)])
  ) THEN
    RAISE EXCEPTION 'a claim on an identifier has no place among the covers of that identifier';
  END IF;
END $$;

ALTER TABLE vehicle_identifiers
  ADD CONSTRAINT vehicle_identifiers_one_cover CHECK (
    CASE cardinality(covers) WHEN 0 THEN true WHEN 1 THEN true WHEN 2 THEN NOT covers[1] && covers[2] ELSE are_apart(covers) END),
  ADD CONSTRAINT vehicle_identifiers_covers_are_whole CHECK (
    cardinality(covered_by) = cardinality(covers) AND array_position(covered_by, NULL) IS NULL
    AND (rank = 0 OR cardinality(covers) = 0));

DROP FUNCTION claim_coverage(bigint[], uuid[], uuid[], date[], date[], uuid[], integer[]);
DROP FUNCTION claim_coverage(bigint[], smallint[], integer[], text[], text[], bigint[], integer[], integer[], uuid[], uuid[],
  date[], date[], uuid[], integer[]);
DROP TABLE coverage_claims;

-- To read: a row for every identifier on which a certificate is in force.
CREATE VIEW coverage_claims AS
  SELECT i.key, c.certificate_id, c.during
  FROM vehicle_identifiers i CROSS JOIN LATERAL unnest(i.covered_by, i.covers) AS c (certificate_id, during)
  WHERE i.rank = 0;

-- Whether a certificate may have an identifier on days: nobody else has it on any of them.
CREATE FUNCTION is_free(covered_by uuid[], covers daterange[], certificate uuid, days daterange) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE cardinality(covers)
    WHEN 0 THEN true
    WHEN 1 THEN covered_by[1] = certificate OR NOT covers[1] && days
    ELSE NOT EXISTS (
      SELECT FROM unnest(covered_by, covers) AS c (certificate_id, during)
      WHERE c.certificate_id <> certificate AND c.during && days) END
$$;

-- The covers but that of a certificate.
CREATE FUNCTION covers_without(covered_by uuid[], covers daterange[], certificate uuid) RETURNS daterange[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN array_position(covered_by, certificate) IS NULL THEN covers
    ELSE covers[:array_position(covered_by, certificate) - 1] || covers[array_position(covered_by, certificate) + 1:] END
$$;

-- Gives identifiers to vehicles, those that nobody owned yet with the cover that is in force on them; that they are nobody's is
-- the primary key's to say. Vehicles and covers stand by their places in lists, counted from 1. Ordered, so that writers of the
-- same identifiers queue up instead of waiting in a circle.
CREATE FUNCTION give_identifiers(
  owned_keys bigint[], ranks smallint[], owners integer[], kinds text[], owned_values text[], own_covers integer[],
  vehicle_ids uuid[], certificate_ids uuid[], days daterange[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
  SELECT i.key, i.rank, vehicle_ids[i.owner], i.kind, i.value,
    CASE WHEN i.cover IS NULL THEN '{}' ELSE ARRAY[certificate_ids[i.cover]] END,
    CASE WHEN i.cover IS NULL THEN '{}' ELSE ARRAY[days[i.cover]] END
  FROM unnest(owned_keys, ranks, owners, kinds, owned_values, own_covers) AS i (key, rank, owner, kind, value, cover)
  ORDER BY i.key, i.rank;
END $$;

-- Claims identifiers that are owned. A claim is granted where no other certificate is in force; `turns` count those on one
-- identifier, which are granted one after the other. What is `unclaimed` must be free, too, and is not claimed: who comes to
-- claim it waits until the transaction ends. Returns the certificates of which a required claim is refused, or something that
-- must be free is not; null when there is none.
--
-- All of it goes by the order of the keys, so that writers of the same identifiers queue up instead of waiting in a circle, and
-- by the primary key whatever the planner thinks of the table: it keeps its plans while the first dump fills the registry.
CREATE FUNCTION claim_identifiers(
  claimed_keys bigint[], claimed_covers integer[], required boolean[], turns integer[],
  unclaimed_keys bigint[], unclaimed_covers integer[], certificate_ids uuid[], days daterange[]
) RETURNS uuid[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_nestloop = off AS $$
DECLARE
  refused uuid[];
BEGIN
  IF cardinality(unclaimed_keys) > 0 THEN
    -- With those that are claimed, so that all are locked in one order.
    PERFORM FROM (
      SELECT FROM vehicle_identifiers i
      WHERE i.key = ANY(claimed_keys || unclaimed_keys) AND i.rank = 0
      ORDER BY i.key FOR NO KEY UPDATE) AS locked;
    SELECT array_agg(DISTINCT certificate_ids[u.cover]) INTO refused
    FROM unnest(unclaimed_keys, unclaimed_covers) AS u (key, cover)
    JOIN vehicle_identifiers i ON i.key = u.key
    WHERE i.key = ANY(unclaimed_keys) AND i.rank = 0
      AND NOT is_free(i.covered_by, i.covers, certificate_ids[u.cover], days[u.cover]);
  END IF;

  FOR this_turn IN 1 .. (SELECT coalesce(max(t), 0) FROM unnest(turns) AS t) LOOP
    WITH asked AS MATERIALIZED (
      SELECT c.key, c.required, certificate_ids[c.cover] AS certificate_id, days[c.cover] AS during
      FROM unnest(claimed_keys, claimed_covers, required, turns) AS c (key, cover, required, turn)
      WHERE c.turn = this_turn ORDER BY c.key
    ), granted AS (
      UPDATE vehicle_identifiers i SET
        covered_by = array_remove(i.covered_by, a.certificate_id) || a.certificate_id,
        covers = covers_without(i.covered_by, i.covers, a.certificate_id) || a.during
      FROM asked a
      WHERE i.key = ANY(claimed_keys) AND i.rank = 0 AND i.key = a.key
        AND is_free(i.covered_by, i.covers, a.certificate_id, a.during)
      RETURNING i.key
    )
    SELECT refused || array_agg(DISTINCT a.certificate_id) INTO refused
    FROM asked a WHERE a.required AND NOT EXISTS (SELECT FROM granted g WHERE g.key = a.key);
  END LOOP;
  RETURN refused;
END $$;

-- Gives identifiers to vehicles and claims others for certificates on days, all that is required or none (D9): where one is
-- refused, the certificates are returned and nothing stays written; null when all was granted.
CREATE FUNCTION claim_coverage(
  owned_keys bigint[], ranks smallint[], owners integer[], kinds text[], owned_values text[], own_covers integer[],
  claimed_keys bigint[], claimed_covers integer[], required boolean[], turns integer[],
  unclaimed_keys bigint[], unclaimed_covers integer[],
  vehicle_ids uuid[], certificate_ids uuid[], since date[], until date[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  days daterange[] := ARRAY(
    SELECT daterange(c.first_day, c.last_day, '[]')
    FROM unnest(since, until) WITH ORDINALITY AS c (first_day, last_day, place) ORDER BY c.place);
  refused uuid[];
BEGIN
  IF cardinality(claimed_keys) + cardinality(unclaimed_keys) = 0 THEN
    -- Nothing can be refused, so nothing needs to be taken back.
    PERFORM give_identifiers(owned_keys, ranks, owners, kinds, owned_values, own_covers, vehicle_ids, certificate_ids, days);
    RETURN NULL;
  END IF;
  BEGIN
    PERFORM give_identifiers(owned_keys, ranks, owners, kinds, owned_values, own_covers, vehicle_ids, certificate_ids, days);
    refused := claim_identifiers(claimed_keys, claimed_covers, required, turns, unclaimed_keys, unclaimed_covers,
      certificate_ids, days);
    IF refused IS NOT NULL THEN
      RAISE SQLSTATE 'PP001';
    END IF;
  EXCEPTION WHEN SQLSTATE 'PP001' THEN
    -- The inner block ends with what it was granted.
    NULL;
  END;
  RETURN refused;
END $$;

-- Gives up what a certificate claims of all that its vehicles are and were ever called, but for the identifiers that it keeps. In
-- the order of the keys and by them, as claims are made.
CREATE FUNCTION give_up_claims(certificate uuid, kept_keys bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  vehicle_ids uuid[] := ARRAY(SELECT DISTINCT v.vehicle_id FROM certificate_vehicles v WHERE v.certificate_id = certificate);
  keys bigint[] := ARRAY(SELECT DISTINCT i.key FROM vehicle_identifiers i WHERE i.vehicle_id = ANY(vehicle_ids));
BEGIN
  PERFORM FROM (
    SELECT FROM vehicle_identifiers i
    WHERE i.key = ANY(keys) AND i.rank = 0 AND i.key <> ALL(kept_keys) AND certificate = ANY(i.covered_by)
    ORDER BY i.key FOR NO KEY UPDATE) AS locked;
  UPDATE vehicle_identifiers i SET
    covers = covers_without(i.covered_by, i.covers, certificate),
    covered_by = array_remove(i.covered_by, certificate)
  WHERE i.key = ANY(keys) AND i.rank = 0 AND i.key <> ALL(kept_keys) AND certificate = ANY(i.covered_by);
END $$;
