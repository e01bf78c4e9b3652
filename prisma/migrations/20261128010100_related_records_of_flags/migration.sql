-- The record that a conflict of identifiers is with: of the vehicles that were matched beside the flagged one, in the order of
-- their matches, the first that had been registered elsewhere by then, on the certificate that was registered last.
UPDATE flags f SET related_certificate_id = (
  SELECT last.id
  FROM jsonb_array_elements_text(f.details->'matchedVehicleIds') WITH ORDINALITY AS matched (vehicle_id, place)
  CROSS JOIN LATERAL (
    SELECT c.id
    FROM certificate_vehicles cv JOIN certificates c ON c.id = cv.certificate_id
    WHERE cv.vehicle_id = matched.vehicle_id::uuid AND c.id <> f.certificate_id AND c.registered_at <= f.created_at
    ORDER BY c.sequence DESC LIMIT 1) AS last
  WHERE matched.vehicle_id::uuid IS DISTINCT FROM f.vehicle_id
  ORDER BY matched.place LIMIT 1)
WHERE f.type = 'IDENTIFIER_CONFLICT' AND f.related_certificate_id IS NULL;
