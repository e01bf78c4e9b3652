import { AUDIT_ENDPOINTS } from './audit.ts';
import { AUTH_ENDPOINTS } from './auth.ts';
import { CLIENT_ENDPOINTS } from './clients.ts';
import { DESCRIPTION_ENDPOINTS } from './description.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { FLAG_ENDPOINTS } from './flags.ts';
import { ORGANIZATION_ENDPOINTS } from './organizations.ts';
import { POOL_ENDPOINTS } from './pools.ts';
import { QUEUE_ENDPOINTS } from './queue.ts';
import { RECORD_ENDPOINTS } from './records.ts';
import { REFERENCE_ENDPOINTS } from './reference.ts';
import { RULE_SET_ENDPOINTS } from './rules.ts';
import { USER_ENDPOINTS } from './users.ts';
import { FLAG_EVIDENCE_ENDPOINTS } from './views/flag-evidence.ts';
import { HISTORY_ENDPOINTS } from './views/history.ts';
import { FLAG_COUNT_ENDPOINTS, OVERVIEW_ENDPOINTS } from './views/overview.ts';
import { VEHICLE_ENDPOINTS } from './views/vehicles.ts';

/** All endpoints of the staff realm. Each resource has its own file. */
export const STAFF_ENDPOINTS = {
  ...AUTH_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...ORGANIZATION_ENDPOINTS,
  ...POOL_ENDPOINTS,
  ...CLIENT_ENDPOINTS,
  ...RULE_SET_ENDPOINTS,
  ...OVERVIEW_ENDPOINTS,
  ...FLAG_COUNT_ENDPOINTS,
  ...FLAG_ENDPOINTS,
  ...FLAG_EVIDENCE_ENDPOINTS,
  ...HISTORY_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...VEHICLE_ENDPOINTS,
  ...REFERENCE_ENDPOINTS,
  ...QUEUE_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...DESCRIPTION_ENDPOINTS,
} as const satisfies Record<string, StaffEndpoint>;

export type StaffEndpointName = keyof typeof STAFF_ENDPOINTS;
