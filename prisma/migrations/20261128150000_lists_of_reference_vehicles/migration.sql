-- Staff list the vehicles of a region in the order of their ids. The new index also serves what the old one did.
CREATE INDEX reference_vehicles_by_region ON reference_vehicles (region, id);
DROP INDEX reference_vehicles_region;
