import { listAudit } from './audit/list-audit.ts';
import { changePassword } from './auth/change-password.ts';
import { enrollMfa } from './auth/enroll-mfa.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './auth/own-sessions.ts';
import { readSession } from './auth/read-session.ts';
import { renewMfa } from './auth/renew-mfa.ts';
import { replaceRecoveryCodes } from './auth/replace-recovery-codes.ts';
import { verifyMfa } from './auth/verify-mfa.ts';
import { changeClient, reactivateClient, suspendClient } from './clients/change-client.ts';
import { createClient } from './clients/create-client.ts';
import { listClients } from './clients/list-clients.ts';
import { readClient } from './clients/read-client.ts';
import { revokeClientTokens } from './clients/revoke-client-tokens.ts';
import { rotateClientSecrets } from './clients/rotate-client-secrets.ts';
import { readStaffOpenApi } from './description/read-openapi.ts';
import { listFlags } from './flags/list-flags.ts';
import { readFlag } from './flags/read-flag.ts';
import { clearFlag, referFlag } from './flags/review-flag.ts';
import {
  reactivateOrganization,
  renameOrganization,
  suspendOrganization,
} from './organizations/change-organization.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { listOrganizations } from './organizations/list-organizations.ts';
import { readOrganization } from './organizations/read-organization.ts';
import { addMembership } from './pools/add-membership.ts';
import { changePool } from './pools/change-pool.ts';
import { createPool } from './pools/create-pool.ts';
import { endMembership } from './pools/end-membership.ts';
import { listMemberships } from './pools/list-memberships.ts';
import { listPools } from './pools/list-pools.ts';
import { readPool } from './pools/read-pool.ts';
import { listParked } from './queue/list-parked.ts';
import { readQueue } from './queue/read-queue.ts';
import { sendAgain, sendAllAgain } from './queue/send-again.ts';
import { listRecords } from './records/list-records.ts';
import { listTransmissions } from './records/list-transmissions.ts';
import { RECORD_HANDLERS } from './records/read-record.ts';
import { readTransmission } from './records/read-transmission.ts';
import { readTransmissionBody } from './records/read-transmission-body.ts';
import { importReference } from './reference/import-reference.ts';
import {
  listReferenceImportErrors,
  listReferenceImports,
  listReferenceRegions,
} from './reference/list-reference.ts';
import { readReferenceImport } from './reference/read-reference-import.ts';
import type { StaffHandlers } from './route.ts';
import { activateRuleSet, changeRuleSet, withdrawRuleSet } from './rules/change-rule-set.ts';
import { draftRuleSet } from './rules/draft-rule-set.ts';
import { listRuleSets } from './rules/list-rule-sets.ts';
import { readActiveRuleSet, readRuleSet } from './rules/read-rule-set.ts';
import { tryRuleSet } from './rules/try-rule-set.ts';
import { changeUserRole, disableUser, enableUser, resetUserMfa } from './users/change-user.ts';
import { createUser } from './users/create-user.ts';
import { listUsers } from './users/list-users.ts';
import { readUser } from './users/read-user.ts';
import { resetUserPassword } from './users/reset-user-password.ts';

/** Every endpoint of the staff realm. */
export const STAFF_HANDLERS: StaffHandlers = {
  login,
  enrollMfa,
  verifyMfa,
  renewMfa,
  logout,
  readSession,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
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
  listOrganizations,
  createOrganization,
  readOrganization,
  renameOrganization,
  suspendOrganization,
  reactivateOrganization,
  listPools,
  createPool,
  readPool,
  changePool,
  listMemberships,
  addMembership,
  endMembership,
  listClients,
  createClient,
  readClient,
  changeClient,
  suspendClient,
  reactivateClient,
  rotateClientSecrets,
  revokeClientTokens,
  listRuleSets,
  draftRuleSet,
  readActiveRuleSet,
  readRuleSet,
  changeRuleSet,
  tryRuleSet,
  activateRuleSet,
  withdrawRuleSet,
  listFlags,
  readFlag,
  clearFlag,
  referFlag,
  listRecords,
  ...RECORD_HANDLERS,
  listTransmissions,
  readTransmission,
  readTransmissionBody,
  listReferenceRegions,
  importReference,
  listReferenceImports,
  readReferenceImport,
  listReferenceImportErrors,
  readQueue,
  listParked,
  sendAgain,
  sendAllAgain,
  listAudit,
  readStaffOpenApi,
};
