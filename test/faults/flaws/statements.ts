// The statements on the path of a transmission, as the processes send them, and commands of Redis.

export const RECEIVE = /INSERT INTO transmissions/;
/** Of the request that waits for the outcome. */
export const READ_OUTCOME = /acknowledgment::text AS acknowledgment/;
export const TAKE = /WITH RECURSIVE asked AS/;
export const READ_FACTS = /WITH asked AS/;
/** The first statement of a commit. */
export const REQUIRE_FENCE =
  /CASE WHEN status = 'VALIDATING' THEN fence::text END = read\.revision/;
/** The last statement of a commit: it writes the terminal state. */
export const FINISH = /UPDATE transmissions t SET status = row\.status/;
export const COMMIT = /^COMMIT/;
export const SWEEP = /UPDATE transmissions t SET\s+sweep_at = now\(\)/;
/** A job: a row of the queue's tables, or what its script gets in Redis. */
export const ENQUEUE = /SELECT (id FROM )?add_jobs?(_bulk)?\(|^\*[\s\S]*"requestId":/;
/** "Settled", to who waits. */
export const ANNOUNCE = /SELECT pg_notify\(\$1, \$2\)|^\*\d+\r\n\$7\r\npublish\r\n/i;
/** Of a change, inside its transaction. */
export const LOCK_RECORD = /SELECT id FROM certificates WHERE id = \$1::uuid FOR UPDATE/;
/** Of a change, inside its transaction, after its terminal state is written. */
export const RELEASE_IDENTIFIERS = /SELECT DISTINCT i\.key::text/;
