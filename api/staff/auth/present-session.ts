import type { Session } from '../../../shared/contract/staff/auth.ts';
import {
  permissionsOf,
  type Role,
  SECOND_FACTOR_FRESH_SECONDS,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../../../shared/contract/staff.ts';

export interface SessionFacts {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly passwordIsOwn: boolean;
  readonly startedAt: Date;
  readonly factorAt: Date;
  readonly recoveryCodesLeft: number;
  /** The last request that extended the session. */
  readonly seenAt: Date;
}

/** A session as its user sees it. */
export function presentSession(facts: SessionFacts): Session {
  const { userId: id, email, role, passwordIsOwn, startedAt, factorAt, seenAt } = facts;
  const { recoveryCodesLeft } = facts;
  const endsAt = startedAt.getTime() + SESSION_ABSOLUTE_SECONDS * 1_000;
  const idleEndsAt = Math.min(endsAt, seenAt.getTime() + SESSION_IDLE_SECONDS * 1_000);
  return {
    user: { id, email, role },
    permissions: permissionsOf(role),
    passwordChangeDue: !passwordIsOwn,
    recoveryCodesLeft,
    secondFactorFreshUntil: new Date(
      factorAt.getTime() + SECOND_FACTOR_FRESH_SECONDS * 1_000,
    ).toISOString(),
    idleExpiresAt: new Date(idleEndsAt).toISOString(),
    expiresAt: new Date(endsAt).toISOString(),
  };
}
