-- The row of a busy client is written at each of its requests and must not wait for the disk: logged, the requests of one
-- client could not be faster than one flush after another. After a crash of the database the current minute is counted anew.
ALTER TABLE rate_limits SET UNLOGGED;
