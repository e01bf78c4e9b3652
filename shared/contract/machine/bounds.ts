/** No JSON answer is longer (D33). */
export const ANSWER_BYTES_MAX = 2_000_000;

/** Record detail lists so many versions, amendments, transmissions and removed vehicles, the newest ones (D33). */
export const HISTORY_LISTED_MAX = 200;
/** Of so many of the newest versions a list shows the snapshot (D33). */
export const SNAPSHOTS_LISTED_MAX = 10;
/** Record detail lists so many flags: one for each vehicle that a certificate may have (D70). */
export const FLAGS_LISTED_MAX = 500;
/** An acknowledgment lists so many findings, the most basic levels first (D70). */
export const FINDINGS_LISTED_MAX = 2_000;
/** The total of a list of transmissions or flags counts no further (D70). */
export const TOTAL_COUNTED_MAX = 10_000;
