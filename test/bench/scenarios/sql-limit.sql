-- The least SQL that registers a certificate for vehicles that the registry does not know yet, as the specification asks: the
-- transmission, the record and its vehicles, with a cover on each of their identifiers (D9). The primary key and the CHECK of
-- vehicle_identifiers refuse a second cover.

-- `keys`: one for each of the four identifiers of each vehicle, in the order of the vehicles.
CREATE FUNCTION limit_register(insurer uuid, body jsonb, keys bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  transmission uuid := uuidv7();
  certificate uuid := uuidv7();
  sealed bytea := convert_to(body::text, 'UTF8');
  vehicles jsonb := body->'vehicles';
BEGIN
  INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
    status, request_hash, body_sealed, vehicle_count, request_id, received_at, completed_at, acknowledgment, certificate_id)
  VALUES (transmission, nextval('transmission_sequence'), 'PPAI-TX-' || currval('transmission_sequence'), insurer,
    body->>'externalTransactionId', 'CREATE', 'limit', 'ACCEPTED', sha256(sealed), sealed, jsonb_array_length(vehicles),
    'request', now(), now(), json_build_object('status', 'ACCEPTED'), certificate);
  PERFORM limit_record(insurer, transmission, certificate, body, sealed);
  PERFORM limit_vehicles(certificate, vehicles, keys, daterange(
    (body #>> '{certificate,effectiveDate}')::date, (body #>> '{certificate,expirationDate}')::date, '[]'));
END $$;

-- Policy, certificate and the first version.
CREATE FUNCTION limit_record(insurer uuid, transmission uuid, certificate uuid, body jsonb, sealed bytea) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  policy uuid := uuidv7();
  number bigint := nextval('registry_sequence');
BEGIN
  INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, created_at)
  VALUES (policy, insurer, body #>> '{policy,policyNumber}', (body #>> '{policy,issuanceDate}')::date,
    body #>> '{policy,coverageType}', now());
  INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
    transmitting_organization_id, effective_date, expiration_date, operator_id, operator_sealed, operator_region, registered_at)
  VALUES (certificate, 'PPAI-' || number, number, policy, body #>> '{certificate,cocNumber}', insurer, insurer,
    (body #>> '{certificate,effectiveDate}')::date, (body #>> '{certificate,expirationDate}')::date, uuidv7(),
    convert_to(body->>'operator', 'UTF8'), body #>> '{operator,region}', now());
  INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
  VALUES (certificate, 1, now(), transmission, sealed);
END $$;

-- Vehicles, their identifiers with the cover, and their places on the certificate.
CREATE FUNCTION limit_vehicles(certificate uuid, vehicles jsonb, keys bigint[], days daterange) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT uuidv7() FROM jsonb_array_elements(vehicles));
  kinds text[] := '{plateNumber,mvFileNumber,engineNumber,chassisNumber}';
BEGIN
  INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, make, model, year_model,
    vehicle_type, denomination, updated_at)
  SELECT ids[n], v->>'plateNumber', v->>'mvFileNumber', v->>'engineNumber', v->>'chassisNumber', v->>'make', v->>'model',
    (v->>'yearModel')::int, v->>'vehicleType', v->>'denomination', now()
  FROM jsonb_array_elements(vehicles) WITH ORDINALITY AS e (v, n);
  INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
  SELECT keys[4 * (n - 1) + k], 0, ids[n], kind, v->>kind, ARRAY[certificate], ARRAY[days]
  FROM jsonb_array_elements(vehicles) WITH ORDINALITY AS e (v, n), unnest(kinds) WITH ORDINALITY AS i (kind, k)
  ORDER BY 1;
  INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted, added_in_version)
  SELECT certificate, n - 1, ids[n], v, v, 1
  FROM jsonb_array_elements(vehicles) WITH ORDINALITY AS e (v, n);
END $$;
