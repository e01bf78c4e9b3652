-- Costs nothing unless a record is cancelled. Without it, the staff list of cancelled records read all records to count them.
CREATE INDEX certificates_cancelled ON certificates (registry_reference) WHERE lifecycle = 'CANCELLED';
