import type { AdminHandlers } from '../edge/admin-route.ts';
import { listAudit } from './audit-list.ts';
import { changePassword } from './auth/change-password.ts';
import { enrollMfa } from './auth/enroll-mfa.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { readSession } from './auth/read-session.ts';
import { replaceRecoveryCodes } from './auth/replace-recovery-codes.ts';
import { verifyMfa } from './auth/verify-mfa.ts';
import { readAdminOpenApi } from './read-openapi.ts';

/** Every endpoint of the staff realm. */
export const ADMIN_HANDLERS: AdminHandlers = {
  login,
  enrollMfa,
  verifyMfa,
  logout,
  readSession,
  changePassword,
  replaceRecoveryCodes,
  listAudit,
  readAdminOpenApi,
};
