import type { ApiContext } from '../../../api/context.ts';
import {
  type StaffSession,
  useStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import type { StaffBrowser } from './staff.ts';

/** The session of a browser, as authentication finds it. */
export async function findStaffSessionOf(
  { db, clock }: Pick<ApiContext, 'db' | 'clock'>,
  { cookies }: StaffBrowser,
): Promise<StaffSession> {
  const session = await useStaffSession(db, cookies.get('ppai-session') ?? '', clock.now());
  if (session === undefined) throw new Error('the browser has no session');
  return session;
}
