/** What the program tells the shell that called it. */
export const EXIT_CODES = {
  /** Done: ACCEPTED or FLAGGED, or what was asked for. */
  done: 0,
  /** Wrong arguments, unreadable input or missing credentials: nothing was sent. */
  usage: 2,
  /** The registry refused it: REJECTED, not found, not authorized. In a batch: at least one. */
  refused: 3,
  /** Still in progress at the deadline; look it up later. */
  inProgress: 4,
  /** The registry could not be reached. Sending again is safe. */
  unreachable: 5,
  /** Ctrl-C or SIGTERM. A batch goes on from there when it is run again. */
  interrupted: 130,
} as const;

/** A mistake of the caller, told without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const EXIT_CODES_HELP = `
Exit codes:
  0    done: ACCEPTED or FLAGGED, or what was asked for
  2    wrong arguments, unreadable input or missing credentials: nothing was sent
  3    refused by the registry, or at least one of a batch
  4    still in progress at the deadline
  5    the registry could not be reached; sending again is safe
  130  interrupted; a batch goes on from there when it is run again`;
