import { AppError } from '../../../shared/contract/errors.ts';
import type { Done, EndedSessions } from '../../../shared/contract/staff/auth.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import * as own from '../../../shared/store/staff/sign-in/own-sessions.ts';
import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import { endStaffSession } from '../../../shared/store/staff/sign-in/sessions.ts';
import { actAsStaff } from '../act.ts';
import { ok, type StaffHandlers } from '../route.ts';
import { presentSession } from './present-session.ts';

type SessionEndpoint =
  | 'readSession'
  | 'logout'
  | 'listOwnSessions'
  | 'endOwnSession'
  | 'endOtherSessions';

/** The session of the request, and the other sessions of its user. */
export const SESSION_HANDLERS: Pick<StaffHandlers, SessionEndpoint> = {
  async readSession({ db }, { session }) {
    const recoveryCodesLeft = await countRecoveryCodes(db, session.userId);
    return ok(presentSession({ ...session, recoveryCodesLeft }));
  },

  async logout(context, request) {
    const { session, staff, cookies } = request;
    await actAsStaff(context, request, async (tx, by) => {
      await endStaffSession(tx, session.idHash);
      await recordAudit(tx, {
        ...by,
        action: 'SIGNED_OUT',
        target: { type: 'USER', id: staff.id },
      });
    });
    const data: Done = { done: true };
    return { status: 200, data, cookies: [cookies.takeSession(), cookies.takeChallenge()] };
  },

  async listOwnSessions({ db, clock }, { session, query }) {
    return ok(await own.listOwnSessions(db, session, query, clock.now()));
  },

  /** Another user's session is NOT_FOUND. */
  async endOwnSession(context, request) {
    const { session, params, cookies } = request;
    const { userId } = session;
    const id = params.sessionId.toLowerCase();
    await actAsStaff(context, request, async (tx, by) => {
      if (!(await own.endOwnSession(tx, { userId, id, now: by.at })))
        throw new AppError('NOT_FOUND', 'no such session of this user');
      await recordAudit(tx, {
        ...by,
        action: 'SESSIONS_ENDED',
        target: { type: 'USER', id: userId },
        after: { ended: 1, sessionId: id },
      });
    });
    const data: Done = { done: true };
    return { status: 200, data, cookies: id === session.id ? [cookies.takeSession()] : [] };
  },

  async endOtherSessions(context, request) {
    const ended = await actAsStaff(context, request, async (tx, by, session) => {
      const count = await own.endOtherSessions(tx, session, by.at);
      if (count > 0) {
        await recordAudit(tx, {
          ...by,
          action: 'SESSIONS_ENDED',
          target: { type: 'USER', id: session.userId },
          after: { ended: count },
        });
      }
      return count;
    });
    return ok({ ended } satisfies EndedSessions);
  },
};
