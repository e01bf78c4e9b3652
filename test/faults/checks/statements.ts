// Patterns of the SQL statements and Redis commands on the path of a transmission, as the processes send them.

export const RECEIVE = /INSERT INTO transmissions/;
/** A request that waits for the outcome reads it. */
export const READ_OUTCOME = /acknowledgment::text AS acknowledgment/;
export const CLAIM = /WITH named AS MATERIALIZED/;
/** Lets the next change of a record be claimed: after the receipt of a change, and after its end. */
export const RANK_NEXT = /WITH unranked AS MATERIALIZED/;
export const READ_FACTS = /WITH asked AS/;
/** The first statement of a commit. */
export const REQUIRE_FENCE =
  /CASE WHEN status = 'VALIDATING' THEN fence::text END = read\.revision/;
/** The last statement of a commit: it writes the terminal state. */
export const FINISH = /UPDATE transmissions t SET status = row\.status/;
export const COMMIT = /^COMMIT/;
export const SWEEP = /UPDATE transmissions t SET\s+sweep_at = now\(\)/;
/** Adds a job: a row in the queue's tables, or the arguments of a script in Redis. */
export const ENQUEUE = /SELECT (id FROM )?add_jobs?(_bulk)?\(|^\*[\s\S]*"requestId":/;
/** The completion notice. */
export const ANNOUNCE = /SELECT pg_notify\(\$1, \$2\)|^\*\d+\r\n\$7\r\npublish\r\n/i;
/** Locks the record in the transaction of a change. */
export const LOCK_RECORD = /SELECT id FROM certificates WHERE id = \$1::uuid FOR UPDATE/;
/** In the transaction of a change, when it holds all its locks. */
export const CHANGE_RECORD = /INSERT INTO (amendments|cancellations) /;
