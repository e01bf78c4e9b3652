/** The maximum size of a JSON answer (D33). */
export const ANSWER_BYTES_MAX = 2_000_000;

/** The newest versions, amendments, transmissions and removed vehicles that record detail lists, of each kind (D33). */
export const HISTORY_LISTED_MAX = 200;
/** The newest versions that a list shows with their snapshots (D33). */
export const SNAPSHOTS_LISTED_MAX = 10;
/** The flags that record detail lists: one for each vehicle that a certificate may have (D70). */
export const FLAGS_LISTED_MAX = 500;
/** The findings that an acknowledgment lists, the lowest levels first (D70). */
export const FINDINGS_LISTED_MAX = 2_000;
/** The `total` of a list of transmissions or flags stops counting here (D70). */
export const TOTAL_COUNTED_MAX = 10_000;
/** The longest wait that `Prefer: wait=N` can ask for, seconds (D3). */
export const WAIT_SECONDS_MAX = 30;
