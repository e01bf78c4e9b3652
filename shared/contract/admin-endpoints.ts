import type { AdminEndpoint } from './admin/admin-endpoint.ts';
import { AUDIT_ENDPOINTS } from './admin/audit.ts';
import { AUTH_ENDPOINTS } from './admin/auth.ts';
import { CLIENT_ENDPOINTS } from './admin/clients.ts';
import { DESCRIPTION_ENDPOINTS } from './admin/description.ts';
import { FLAG_ENDPOINTS } from './admin/flags.ts';
import { ORGANIZATION_ENDPOINTS } from './admin/organizations.ts';
import { POOL_ENDPOINTS } from './admin/pools.ts';
import { QUEUE_ENDPOINTS } from './admin/queue.ts';
import { RECORD_ENDPOINTS } from './admin/records.ts';
import { REFERENCE_ENDPOINTS } from './admin/reference.ts';
import { RULE_SET_ENDPOINTS } from './admin/rules.ts';
import { USER_ENDPOINTS } from './admin/users.ts';

/** The staff realm: one file a resource under admin/, all of them here. */
export const ADMIN_ENDPOINTS = {
  ...AUTH_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...ORGANIZATION_ENDPOINTS,
  ...POOL_ENDPOINTS,
  ...CLIENT_ENDPOINTS,
  ...RULE_SET_ENDPOINTS,
  ...FLAG_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...REFERENCE_ENDPOINTS,
  ...QUEUE_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...DESCRIPTION_ENDPOINTS,
} as const satisfies Record<string, AdminEndpoint>;

export type AdminEndpointName = keyof typeof ADMIN_ENDPOINTS;
