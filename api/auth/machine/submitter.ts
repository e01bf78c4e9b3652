import type {
  OrganizationStatus,
  OrganizationType,
  Scope,
} from '../../../shared/contract/enums.ts';

/** The client that signed the request, after all authentication steps (D19). */
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
  /** The scopes that the token was issued with and that the client still holds. */
  readonly scopes: readonly Scope[];
  readonly rateLimitPerMinute: number;
}
