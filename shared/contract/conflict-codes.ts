import type { FindingEntry } from './findings.ts';

/** The reasons for CONFLICT in the staff realm (D71): code → level, severity, cause and remedy. */
export const CONFLICT_CODES = {
  STALE_VERSION: {
    level: 2,
    severity: 'ERROR',
    cause: 'Somebody changed the object after you read it: expectedVersion is not its version.',
    remedy:
      '`data` is the object as it is now. Compare it with your change, and send the change with its version.',
  },
  ALREADY_DECIDED: {
    level: 2,
    severity: 'ERROR',
    cause:
      'The flag or the rule set is no longer in the state that the operation needs, because somebody has decided on it.',
    remedy: '`data` is the object as it is now; a flag names the reviewer, the time and the notes.',
  },
  ALREADY_ENROLLED: {
    level: 2,
    severity: 'ERROR',
    cause: 'The staff user has enrolled a second factor already.',
    remedy: 'Sign in with its code. If it is lost, ask an administrator to reset it.',
  },
  CODE_TAKEN: {
    level: 2,
    severity: 'ERROR',
    cause: 'Another organization has this code, or another user this address.',
    remedy: 'Choose another one. For a code, `data` is the organization that has it.',
  },
  OVERLAP: {
    level: 2,
    severity: 'ERROR',
    cause:
      'The insurer is a member of the pool on one of these days already, or another rule set takes over at the same moment.',
    remedy: 'Choose other days, or another moment.',
  },
  LAST_ADMINISTRATOR: {
    level: 3,
    severity: 'ERROR',
    cause: 'Without this user there would be no active ADMINISTRATOR.',
    remedy: 'Make another user an ADMINISTRATOR first.',
  },
  NOT_PARKED: {
    level: 2,
    severity: 'ERROR',
    cause: 'The transmission is not parked: somebody has sent it again, or it was never parked.',
    remedy: '`data` is the transmission as it is now; you need to do nothing.',
  },
} as const satisfies Record<string, FindingEntry>;

export type ConflictCode = keyof typeof CONFLICT_CODES;
