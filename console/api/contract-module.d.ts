/** The contract as constants, which ops/console/contract-module.ts writes into the build. */
declare module 'virtual:contract' {
  type Endpoints = typeof import('../../shared/contract/staff/endpoints.ts').STAFF_ENDPOINTS;
  type Enums = typeof import('../../shared/contract/enums.ts');
  type Staff = typeof import('../../shared/contract/staff.ts');
  type Errors = typeof import('../../shared/contract/errors.ts');
  type Flags = typeof import('../../shared/contract/staff/flags.ts');
  type Records = typeof import('../../shared/contract/staff/records.ts');
  type Reference = typeof import('../../shared/contract/staff/reference.ts');
  type Rules = typeof import('../../shared/contract/staff/rules.ts');
  type Findings = typeof import('../../shared/contract/findings.ts');
  type History = typeof import('../../shared/contract/staff/views/history.ts');
  type Clients = typeof import('../../shared/contract/staff/clients.ts');

  export const ENDPOINTS: {
    readonly [Name in keyof Endpoints]: Pick<Endpoints[Name], 'method' | 'path' | 'permission'>;
  };
  export const REGIONS: Enums['REGIONS'];
  export const FLAG_TYPES: Enums['FLAG_TYPES'];
  export const FLAG_STATUSES: Enums['FLAG_STATUSES'];
  export const COVERAGE_STATUSES: Enums['COVERAGE_STATUSES'];
  export const LIFECYCLES: Enums['LIFECYCLES'];
  export const IDENTIFIER_KINDS: Enums['IDENTIFIER_KINDS'];
  export const RECORD_ORDERS: Records['RECORD_ORDERS'];
  export const TRANSMISSION_STATUSES: Enums['TRANSMISSION_STATUSES'];
  export const TRANSMISSION_KINDS: Enums['TRANSMISSION_KINDS'];
  export const CHANNELS: Enums['CHANNELS'];
  export const ERROR_CODES: Errors['ERROR_CODES'];
  export const FINDING_CODES: readonly (keyof Findings['FINDING_CODES'])[];
  export const FINDING_DAYS_MAX: Records['FINDING_DAYS_MAX'];
  export const SERIES_KEYS: History['SERIES_KEYS'];
  export const ORGANIZATION_TYPES: Enums['ORGANIZATION_TYPES'];
  export const ORGANIZATION_STATUSES: Enums['ORGANIZATION_STATUSES'];
  export const CLIENT_STATUSES: Enums['CLIENT_STATUSES'];
  export const SCOPES: Enums['SCOPES'];
  export const SECRET_KINDS: Enums['SECRET_KINDS'];
  export const FLAG_ORDERS: Flags['FLAG_ORDERS'];
  export const AUDIT_ACTIONS: Staff['AUDIT_ACTIONS'];
  export const AUDIT_TARGET_TYPES: Staff['AUDIT_TARGET_TYPES'];
  export const CSRF_HEADER: Staff['CSRF_HEADER'];
  export const BACKGROUND_HEADER: Staff['BACKGROUND_HEADER'];
  export const PASSWORD_LENGTH_MAX: Staff['PASSWORD_LENGTH_MAX'];
  export const PASSWORD_LENGTH_MIN: Staff['PASSWORD_LENGTH_MIN'];
  export const REVIEW_NOTES_CHARACTERS_MAX: Flags['REVIEW_NOTES_CHARACTERS_MAX'];
  export const REFERENCE_COLUMNS: Reference['REFERENCE_COLUMNS'];
  export const IMPORT_BYTES_MAX: Reference['IMPORT_BYTES_MAX'];
  export const IMPORT_STATUSES: Reference['IMPORT_STATUSES'];
  export const RULE_SET_STATUSES: Rules['RULE_SET_STATUSES'];
  export const TRIED_TRANSMISSIONS_MAX: Rules['TRIED_TRANSMISSIONS_MAX'];
  export const SESSION_IDLE_SECONDS: Staff['SESSION_IDLE_SECONDS'];
  export const ROLES: Staff['ROLES'];
  export const USER_STATUSES: Staff['USER_STATUSES'];
  export const INITIAL_PASSWORD_HOURS: Staff['INITIAL_PASSWORD_HOURS'];
  export const RATE_LIMIT_PER_MINUTE_DEFAULT: Clients['RATE_LIMIT_PER_MINUTE_DEFAULT'];
  export const RATE_LIMIT_PER_MINUTE_MAX: Clients['RATE_LIMIT_PER_MINUTE_MAX'];
}
