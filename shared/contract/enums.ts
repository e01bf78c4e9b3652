import { z } from 'zod';

// Every closed vocabulary of api.md, "Enumerations". The zod enum and the type derive from the list.

export const REGIONS = [
  'NCR',
  'CAR',
  'I',
  'II',
  'III',
  'IV-A',
  'MIMAROPA',
  'V',
  'VI',
  'NIR',
  'VII',
  'VIII',
  'IX',
  'X',
  'XI',
  'XII',
  'XIII',
  'BARMM',
] as const;
export const Region = z.enum(REGIONS).meta({ id: 'Region' });
export type Region = z.infer<typeof Region>;

export const OPERATOR_TYPES = ['INDIVIDUAL', 'CORPORATION', 'COOPERATIVE'] as const;
export const OperatorType = z.enum(OPERATOR_TYPES).meta({ id: 'OperatorType' });
export type OperatorType = z.infer<typeof OperatorType>;

export const VEHICLE_TYPES = [
  'JEEPNEY',
  'MODERN_JEEPNEY',
  'UV_EXPRESS',
  'BUS',
  'MINIBUS',
  'TAXI',
  'TNVS',
  'FILCAB',
  'TRUCK_FOR_HIRE',
  'SCHOOL_SERVICE',
  'TOURIST_TRANSPORT',
  'MOTORCYCLE_TAXI',
  'OTHER',
] as const;
export const VehicleType = z.enum(VEHICLE_TYPES).meta({ id: 'VehicleType' });
export type VehicleType = z.infer<typeof VehicleType>;

export const DENOMINATIONS = [
  'PUJ',
  'PUB',
  'UVE',
  'TX',
  'TNVS',
  'FC',
  'TH',
  'SS',
  'TT',
  'MCT',
  'OTHER',
] as const;
export const Denomination = z.enum(DENOMINATIONS).meta({ id: 'Denomination' });
export type Denomination = z.infer<typeof Denomination>;

export const TRANSMISSION_STATUSES = [
  'RECEIVED',
  'VALIDATING',
  'ACCEPTED',
  'FLAGGED',
  'REJECTED',
] as const;
export const TransmissionStatus = z.enum(TRANSMISSION_STATUSES).meta({ id: 'TransmissionStatus' });
export type TransmissionStatus = z.infer<typeof TransmissionStatus>;

export const TERMINAL_STATUSES = ['ACCEPTED', 'FLAGGED', 'REJECTED'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** A terminal transmission never changes again (D2). */
export function isTerminal(status: TransmissionStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

export const TRANSMISSION_KINDS = ['CREATE', 'AMEND', 'CANCEL'] as const;
export const TransmissionKind = z.enum(TRANSMISSION_KINDS).meta({ id: 'TransmissionKind' });
export type TransmissionKind = z.infer<typeof TransmissionKind>;

export const COVERAGE_STATUSES = [
  'ACTIVE',
  'UPCOMING',
  'EXPIRING',
  'EXPIRED',
  'CANCELLED',
  'SUPERSEDED',
] as const;
export const CoverageStatus = z.enum(COVERAGE_STATUSES).meta({ id: 'CoverageStatus' });
export type CoverageStatus = z.infer<typeof CoverageStatus>;

export const LIFECYCLES = ['CURRENT', 'CANCELLED'] as const;
export const Lifecycle = z.enum(LIFECYCLES).meta({ id: 'Lifecycle' });
export type Lifecycle = z.infer<typeof Lifecycle>;

export const ORGANIZATION_TYPES = [
  'REGULATOR',
  'INSURANCE_POOL',
  'MANAGEMENT_COMPANY',
  'INSURANCE_COMPANY',
] as const;
export const OrganizationType = z.enum(ORGANIZATION_TYPES).meta({ id: 'OrganizationType' });
export type OrganizationType = z.infer<typeof OrganizationType>;

export const ORGANIZATION_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export const OrganizationStatus = z.enum(ORGANIZATION_STATUSES);
export type OrganizationStatus = z.infer<typeof OrganizationStatus>;

export const CLIENT_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export const ClientStatus = z.enum(CLIENT_STATUSES);
export type ClientStatus = z.infer<typeof ClientStatus>;

export const SECRET_KINDS = ['CLIENT_SECRET', 'SIGNING_SECRET'] as const;
export const SecretKind = z.enum(SECRET_KINDS).meta({ id: 'SecretKind' });
export type SecretKind = z.infer<typeof SecretKind>;

export const CHANNELS = ['API', 'PORTAL', 'BULK_UPLOAD'] as const;
export const Channel = z.enum(CHANNELS).meta({ id: 'Channel' });
export type Channel = z.infer<typeof Channel>;

export const REFERENCE_MATCH_RESULTS = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NO_MATCH',
  'FOR_REVIEW',
] as const;
export const ReferenceMatchResult = z
  .enum(REFERENCE_MATCH_RESULTS)
  .meta({ id: 'ReferenceMatchResult' });
export type ReferenceMatchResult = z.infer<typeof ReferenceMatchResult>;

export const FLAG_TYPES = [
  'POSSIBLE_DUPLICATE',
  'OVERLAPPING_COVERAGE',
  'VEHICLE_MISMATCH',
  'IDENTIFIER_CONFLICT',
] as const;
export const FlagType = z.enum(FLAG_TYPES).meta({ id: 'FlagType' });
export type FlagType = z.infer<typeof FlagType>;

export const FLAG_STATUSES = [
  'OPEN',
  'CLEARED',
  'REFERRED_TO_INSURER',
  'RESOLVED_BY_AMENDMENT',
] as const;
export const FlagStatus = z.enum(FLAG_STATUSES).meta({ id: 'FlagStatus' });
export type FlagStatus = z.infer<typeof FlagStatus>;

export const SEVERITIES = ['ERROR', 'WARNING', 'INFO'] as const;
export const Severity = z.enum(SEVERITIES).meta({ id: 'Severity' });
export type Severity = z.infer<typeof Severity>;

export const CANCELLATION_REASON_CODES = [
  'NON_PAYMENT',
  'OPERATOR_REQUEST',
  'VEHICLE_DROPPED',
  'ISSUED_IN_ERROR',
  'REPLACED',
  'FRANCHISE_REVOKED',
  'OTHER',
] as const;
export const CancellationReasonCode = z.enum(CANCELLATION_REASON_CODES);
export type CancellationReasonCode = z.infer<typeof CancellationReasonCode>;

export const SCOPES = [
  'ppai:transmit',
  'ppai:read',
  'ppai:amend',
  'ppai:cancel',
  'vehicles:verify',
] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** The identifier kinds of a vehicle, most specific first (D10). */
export const IDENTIFIER_KINDS = [
  'chassisNumber',
  'engineNumber',
  'mvFileNumber',
  'plateNumber',
] as const;
export const IdentifierKind = z.enum(IDENTIFIER_KINDS).meta({ id: 'IdentifierKind' });
export type IdentifierKind = z.infer<typeof IdentifierKind>;
