/** The exit codes of the command line. */
export const EXIT_CODES = {
  /** Success: ACCEPTED, FLAGGED, or the requested data. */
  done: 0,
  /** Wrong arguments, unreadable or changed input, or missing credentials: nothing was sent. */
  usage: 2,
  /** The registry refused the request: REJECTED, not found, not authorized. In a batch: it refused at least one. */
  refused: 3,
  /** Still in progress at the deadline; look it up later. */
  inProgress: 4,
  /** The registry could not be reached. Sending again is safe. */
  unreachable: 5,
  /** A batch gave up waiting for the registry. It resumes when it is run again. */
  gaveUp: 6,
  /** The journal belongs to another file, registry or client: nothing was sent. */
  journalMisfit: 7,
  /** A file could not be read or written, for example because the disk is full. */
  fileError: 8,
  /** Ctrl-C or SIGTERM. A batch resumes when it is run again. */
  interrupted: 130,
} as const;

/** A mistake of the caller, shown without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A file that cannot be written, for example because the disk is full. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

export class JournalMisfit extends Error {
  override readonly name = 'JournalMisfit';
}

export const EXIT_CODES_HELP = `
Exit codes:
  0    success: ACCEPTED, FLAGGED, or the requested data
  2    wrong arguments, unreadable or changed input, or missing credentials: nothing was sent
  3    the registry refused the request, or at least one of a batch
  4    still in progress at the deadline
  5    the registry could not be reached; sending again is safe
  6    a batch gave up waiting for the registry (--give-up-after)
  7    the journal belongs to another file, registry or client: nothing was sent
  8    a file could not be read or written; a batch or a mirror resumes when it is run again
  130  interrupted; a batch resumes when it is run again`;
