-- When nothing waits while the database looks at its tables, its planner takes it that nothing ever does, and that to read and sort
-- all that waits costs nothing: it chose any index of those rows, and read a dump of a hundred thousand once an organization and
-- batch. So each of these indexes holds its rows by a condition that none of the others has: who asks by it has no other.
DROP INDEX transmissions_backlog_by_organization;
CREATE INDEX transmissions_backlog_by_organization ON transmissions (organization_id, sequence) INCLUDE (kind, vehicle_count)
  WHERE status || '' = 'RECEIVED';
-- By the one above what waits is found in its order, too.
DROP INDEX transmissions_backlog;
-- Each state of a transmission is a row in every index; the unique one of references, which number them, has the last ones, too.
DROP INDEX transmissions_by_sequence;
