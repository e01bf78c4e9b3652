// The statements on the path of a transmission, as the processes send them.

export const RECEIVE = /INSERT INTO transmissions/;
/** Of the request that waits for the outcome. */
export const READ_OUTCOME = /acknowledgment::text AS acknowledgment/;
export const TAKE = /WITH RECURSIVE asked AS/;
export const READ_FACTS = /WITH asked AS/;
export const BEGIN = /^BEGIN/;
export const CLAIM = /INSERT INTO coverage_claims/;
export const SETTLE = /WITH given AS MATERIALIZED/;
export const COMMIT = /^COMMIT/;
export const SWEEP = /sweep_at = now\(\) \+ make_interval[\s\S]*AS late/;
