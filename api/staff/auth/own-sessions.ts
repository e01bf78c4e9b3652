import { AppError } from '../../../shared/contract/errors.ts';
import type { Done, EndedSessions } from '../../../shared/contract/staff/auth.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import {
  endOwnSession as endOne,
  endOtherSessions as endOthers,
  listOwnSessions as list,
} from '../../../shared/store/staff/sign-in/own-sessions.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listOwnSessions(
  { db, clock }: ApiContext,
  { session, query }: StaffRequest<'listOwnSessions'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, session, query, clock.now()) };
}

/** Another user's session is none: NOT_FOUND. */
export async function endOwnSession(
  context: ApiContext,
  request: StaffRequest<'endOwnSession'>,
): Promise<StaffAnswer> {
  const { session, params, cookies } = request;
  const { userId } = session;
  const id = params.sessionId.toLowerCase();
  await changeByStaff(context, request, async (tx, by) => {
    if (!(await endOne(tx, { userId, id, now: by.at })))
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
}

export async function endOtherSessions(
  context: ApiContext,
  request: StaffRequest<'endOtherSessions'>,
): Promise<StaffAnswer> {
  const data = await changeByStaff(
    context,
    request,
    async (tx, by, session): Promise<EndedSessions> => {
      const ended = await endOthers(tx, session, by.at);
      if (ended > 0) {
        await recordAudit(tx, {
          ...by,
          action: 'SESSIONS_ENDED',
          target: { type: 'USER', id: session.userId },
          after: { ended },
        });
      }
      return { ended };
    },
  );
  return { status: 200, data };
}
