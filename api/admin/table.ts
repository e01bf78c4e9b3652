import type { AdminHandlers } from '../edge/admin-route.ts';
import { listAudit } from './audit/list-audit.ts';
import { changePassword } from './auth/change-password.ts';
import { enrollMfa } from './auth/enroll-mfa.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { readSession } from './auth/read-session.ts';
import { replaceRecoveryCodes } from './auth/replace-recovery-codes.ts';
import { verifyMfa } from './auth/verify-mfa.ts';
import { readAdminOpenApi } from './description/read-openapi.ts';
import { changeUserRole, disableUser, enableUser, resetUserMfa } from './users/change-user.ts';
import { createUser } from './users/create-user.ts';
import { listUsers } from './users/list-users.ts';
import { readUser } from './users/read-user.ts';
import { resetUserPassword } from './users/reset-user-password.ts';

/** Every endpoint of the staff realm. */
export const ADMIN_HANDLERS: AdminHandlers = {
  login,
  enrollMfa,
  verifyMfa,
  logout,
  readSession,
  changePassword,
  replaceRecoveryCodes,
  listUsers,
  createUser,
  readUser,
  changeUserRole,
  disableUser,
  enableUser,
  resetUserMfa,
  resetUserPassword,
  listAudit,
  readAdminOpenApi,
};
