-- When nothing waits while the database looks at its tables, its planner takes it that nothing ever does, and that to read and sort
-- all that waits costs nothing. It chose this index then, and so each batch read a dump of a hundred thousand once an organization.
-- The one by organization has what waits in its order, too.
DROP INDEX transmissions_backlog;
-- Each state of a transmission is a row in every index; the unique one of references, which number them, has the last ones, too.
DROP INDEX transmissions_by_sequence;
