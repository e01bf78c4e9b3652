import { AUDIT_HANDLERS } from './audit.ts';
import { PASSWORD_HANDLERS } from './auth/password.ts';
import { SECOND_FACTOR_HANDLERS } from './auth/second-factor.ts';
import { SESSION_HANDLERS } from './auth/session.ts';
import { SIGN_IN_HANDLERS } from './auth/sign-in.ts';
import { CLIENT_HANDLERS } from './clients.ts';
import { DESCRIPTION_HANDLERS } from './description.ts';
import { FLAG_HANDLERS } from './flags.ts';
import { ORGANIZATION_HANDLERS } from './organizations.ts';
import { POOL_HANDLERS } from './pools.ts';
import { QUEUE_HANDLERS } from './queue.ts';
import { RECORD_HANDLERS } from './records.ts';
import { REFERENCE_HANDLERS } from './reference/reference.ts';
import type { StaffHandlers } from './route.ts';
import { RULE_SET_HANDLERS } from './rules/rules.ts';
import { USER_HANDLERS } from './users.ts';
import { FLAG_EVIDENCE_HANDLERS } from './views/flag-evidence.ts';
import { HISTORY_HANDLERS } from './views/history.ts';
import { OVERVIEW_HANDLERS } from './views/overview.ts';
import { VEHICLE_HANDLERS } from './views/vehicles.ts';

/** Every endpoint of the staff realm. */
export const STAFF_HANDLERS: StaffHandlers = {
  ...SIGN_IN_HANDLERS,
  ...SESSION_HANDLERS,
  ...SECOND_FACTOR_HANDLERS,
  ...PASSWORD_HANDLERS,
  ...USER_HANDLERS,
  ...ORGANIZATION_HANDLERS,
  ...POOL_HANDLERS,
  ...CLIENT_HANDLERS,
  ...RULE_SET_HANDLERS,
  ...OVERVIEW_HANDLERS,
  ...FLAG_HANDLERS,
  ...FLAG_EVIDENCE_HANDLERS,
  ...HISTORY_HANDLERS,
  ...RECORD_HANDLERS,
  ...VEHICLE_HANDLERS,
  ...REFERENCE_HANDLERS,
  ...QUEUE_HANDLERS,
  ...AUDIT_HANDLERS,
  ...DESCRIPTION_HANDLERS,
};
