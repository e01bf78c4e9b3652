-- Whether this is the database of production or of the sandbox (D40). A process of the other one does not start. Without a row,
-- the first process decides.
CREATE TABLE registry_environment (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  -- How many days the sandbox's calendar is ahead of the real one.
  day_offset int NOT NULL DEFAULT 0 CHECK (day_offset BETWEEN -3650 AND 3650),
  CHECK (environment = 'sandbox' OR day_offset = 0)
);

-- Earlier releases had no sandbox, so a database that one of them was used with is production's.
INSERT INTO registry_environment (environment)
SELECT 'production' WHERE EXISTS (SELECT FROM key_checks) OR EXISTS (SELECT FROM organizations);

-- The outcome that the sender of a transmission asked for. It is written in the sandbox only, before the transmission itself,
-- so it has no foreign key.
CREATE TABLE sandbox_scenarios (
  transmission_id uuid PRIMARY KEY,
  -- ACCEPTED, FLAGGED or the error code of a rejection.
  outcome text,
  -- How long the transmission stays in progress.
  hold_seconds int CHECK (hold_seconds > 0),
  CHECK (num_nonnulls(outcome, hold_seconds) = 1)
);
