import type {
  OrganizationStatus,
  OrganizationType,
  Scope,
} from '../../../shared/contract/enums.ts';

/** Who signed the request: a client of an organization, admitted by the gate (D19). */
export interface Submitter {
  /** The public id, as in X-PPAI-Client-Id. */
  readonly clientId: string;
  /** The row's uuid. */
  readonly apiClientId: string;
  readonly clientName: string;
  readonly organizationId: string;
  readonly organizationCode: string;
  readonly organizationType: OrganizationType;
  readonly organizationStatus: OrganizationStatus;
  /** Those the token was issued with and the client still holds. */
  readonly scopes: readonly Scope[];
  readonly rateLimitPerMinute: number;
}
