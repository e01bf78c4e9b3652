import type { Plugin } from 'vite';
import {
  CHANNELS,
  CLIENT_STATUSES,
  COVERAGE_STATUSES,
  FLAG_STATUSES,
  FLAG_TYPES,
  IDENTIFIER_KINDS,
  LIFECYCLES,
  ORGANIZATION_STATUSES,
  ORGANIZATION_TYPES,
  REGIONS,
  SCOPES,
  SECRET_KINDS,
  TRANSMISSION_KINDS,
  TRANSMISSION_STATUSES,
} from '../../shared/contract/enums.ts';
import { ERROR_CODES } from '../../shared/contract/errors.ts';
import { FINDING_CODES } from '../../shared/contract/findings.ts';
import {
  RATE_LIMIT_PER_MINUTE_DEFAULT,
  RATE_LIMIT_PER_MINUTE_MAX,
} from '../../shared/contract/staff/clients.ts';
import type { StaffEndpoint } from '../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../shared/contract/staff/endpoints.ts';
import { FLAG_ORDERS, REVIEW_NOTES_CHARACTERS_MAX } from '../../shared/contract/staff/flags.ts';
import { FINDING_DAYS_MAX, RECORD_ORDERS } from '../../shared/contract/staff/records.ts';
import {
  IMPORT_BYTES_MAX,
  IMPORT_STATUSES,
  REFERENCE_COLUMNS,
} from '../../shared/contract/staff/reference.ts';
import { RULE_SET_STATUSES, TRIED_TRANSMISSIONS_MAX } from '../../shared/contract/staff/rules.ts';
import { SERIES_KEYS } from '../../shared/contract/staff/views/history.ts';
import {
  AUDIT_ACTIONS,
  AUDIT_TARGET_TYPES,
  BACKGROUND_HEADER,
  CSRF_HEADER,
  INITIAL_PASSWORD_HOURS,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  ROLES,
  SESSION_IDLE_SECONDS,
  USER_STATUSES,
} from '../../shared/contract/staff.ts';

/** What the console needs of the contract at run time; console/api/contract-module.d.ts declares the same names. */
const VALUES = {
  ENDPOINTS: Object.fromEntries(
    Object.entries<StaffEndpoint>(STAFF_ENDPOINTS).map(([name, { method, path, permission }]) => [
      name,
      { method, path, permission },
    ]),
  ),
  REGIONS,
  FLAG_TYPES,
  FLAG_STATUSES,
  COVERAGE_STATUSES,
  LIFECYCLES,
  IDENTIFIER_KINDS,
  RECORD_ORDERS,
  TRANSMISSION_STATUSES,
  TRANSMISSION_KINDS,
  CHANNELS,
  ERROR_CODES,
  FINDING_CODES: Object.keys(FINDING_CODES),
  FINDING_DAYS_MAX,
  SERIES_KEYS,
  FLAG_ORDERS,
  AUDIT_ACTIONS,
  AUDIT_TARGET_TYPES,
  ORGANIZATION_TYPES,
  ORGANIZATION_STATUSES,
  CLIENT_STATUSES,
  SCOPES,
  SECRET_KINDS,
  RATE_LIMIT_PER_MINUTE_DEFAULT,
  RATE_LIMIT_PER_MINUTE_MAX,
  ROLES,
  USER_STATUSES,
  INITIAL_PASSWORD_HOURS,
  CSRF_HEADER,
  BACKGROUND_HEADER,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  REVIEW_NOTES_CHARACTERS_MAX,
  REFERENCE_COLUMNS,
  IMPORT_BYTES_MAX,
  IMPORT_STATUSES,
  RULE_SET_STATUSES,
  TRIED_TRANSMISSIONS_MAX,
  SESSION_IDLE_SECONDS,
};

const NAME = 'virtual:contract';
/** Rollup's convention for modules that are no files. */
const RESOLVED = `\0${NAME}`;

/** The contract as constants: with its schemas it would bring all of zod to the browser. */
export function makeContractModule(): Plugin {
  return {
    name: 'contract-module',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? writeModule() : undefined),
  };
}

function writeModule(): string {
  return Object.entries(VALUES)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
