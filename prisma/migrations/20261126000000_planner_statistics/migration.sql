-- While a dump is registered these tables grow by a tenth every few seconds, and each time autovacuum looks at them anew, beside
-- workers and API: for the built-in target of 100 it reads 30,000 rows and sorts them column by column. 6,000 rows, when half of a
-- table has changed, tell as much to statements that find their rows by keys, as all of these do (`npm run plans`).
-- The column with the highest target decides how many are read: one that is added later needs the same.
DO $$
DECLARE
  growing text;
  one record;
BEGIN
  FOREACH growing IN ARRAY ARRAY['transmissions', 'policies', 'certificates', 'certificate_versions', 'certificate_vehicles',
    'vehicles', 'vehicle_identifiers', 'amendments', 'cancellations', 'flags']
  LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_scale_factor = 0.5)', growing);
    FOR one IN SELECT attname FROM pg_attribute WHERE attrelid = growing::regclass AND attnum > 0 AND NOT attisdropped
    LOOP
      EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 20', growing, one.attname);
    END LOOP;
  END LOOP;
END $$;
