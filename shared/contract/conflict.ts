import type { ConflictCode } from './conflict-codes.ts';
import { AppError } from './errors.ts';
import { makeFinding } from './findings.ts';

interface Conflict {
  /** For the log. */
  readonly reason: string;
  /** For the caller. */
  readonly message: string;
  /** The object as the caller may read it now; it becomes `data`. */
  readonly current?: object;
  readonly cause?: unknown;
}

/** A CONFLICT of the staff realm that names its reason (D71). */
export function makeConflict(code: ConflictCode, conflict: Conflict): AppError {
  const { reason, message, current, cause } = conflict;
  return new AppError('CONFLICT', reason, {
    message,
    details: [makeFinding(code, null, message)],
    ...(current !== undefined && { data: current }),
    cause,
  });
}
