import { z } from 'zod';
import { Severity } from './enums.ts';

/**
 * The detail codes of api.md, "Validation levels", and those that decisions.md adds (D6, D14):
 * code → level and severity.
 */
export const FINDING_CODES = {
  REQUIRED: { level: 1, severity: 'ERROR' },

  INVALID_FORMAT: { level: 2, severity: 'ERROR' },
  INVALID_DATE_RANGE: { level: 2, severity: 'ERROR' },
  COVERAGE_TOO_LONG: { level: 2, severity: 'ERROR' },
  UNSUPPORTED_COVERAGE_TYPE: { level: 2, severity: 'ERROR' },
  DUPLICATE_IDENTIFIER_IN_PAYLOAD: { level: 2, severity: 'ERROR' },
  UNKNOWN_FIELD: { level: 2, severity: 'WARNING' },
  NO_CHANGES: { level: 2, severity: 'ERROR' },
  IMMUTABLE_FIELD: { level: 2, severity: 'ERROR' },
  POLICY_SHARED_BY_OTHER_CERTIFICATES: { level: 2, severity: 'ERROR' },
  VEHICLE_NOT_ON_RECORD: { level: 2, severity: 'ERROR' },
  RECORD_MISMATCH: { level: 2, severity: 'ERROR' },
  RECORD_CANCELLED: { level: 2, severity: 'ERROR' },
  VERSION_MISMATCH: { level: 2, severity: 'ERROR' },

  UNKNOWN_INSURER: { level: 3, severity: 'ERROR' },
  INSURER_NOT_ACTIVE: { level: 3, severity: 'ERROR' },
  ORGANIZATION_NOT_ACTIVE: { level: 3, severity: 'ERROR' },
  NOT_AUTHORIZED_TO_TRANSMIT: { level: 3, severity: 'ERROR' },
  POOL_MEMBERSHIP_NOT_FOUND: { level: 3, severity: 'ERROR' },
  MISSING_SCOPE: { level: 3, severity: 'ERROR' },
  FRESH_CODE_REQUIRED: { level: 3, severity: 'ERROR' },
  PASSWORD_CHANGE_REQUIRED: { level: 3, severity: 'ERROR' },
  DUPLICATE_TRANSMISSION: { level: 3, severity: 'ERROR' },
  COC_ALREADY_REGISTERED: { level: 3, severity: 'ERROR' },
  VEHICLE_ALREADY_INSURED: { level: 3, severity: 'ERROR' },
  POLICY_DETAILS_DIFFER: { level: 3, severity: 'WARNING' },

  REFERENCE_MATCHED: { level: 4, severity: 'INFO' },
  REFERENCE_PARTIAL_MATCH: { level: 4, severity: 'WARNING' },
  REFERENCE_FOR_REVIEW: { level: 4, severity: 'WARNING' },
  REFERENCE_NO_MATCH: { level: 4, severity: 'WARNING' },
  REFERENCE_DATA_UNAVAILABLE: { level: 4, severity: 'WARNING' },
  FINDINGS_OMITTED: { level: 4, severity: 'WARNING' },
} as const satisfies Record<string, { level: 1 | 2 | 3 | 4; severity: Severity }>;

export type FindingCode = keyof typeof FINDING_CODES;

/** api.md, "Envelope": one observation about a request. */
export const Finding = z
  .strictObject({
    level: z.int().min(1).max(4),
    severity: Severity,
    code: z.string().describe('Branch on known codes; treat others by level and severity.'),
    field: z.string().nullable().describe('Where, such as vehicles[3].chassisNumber.'),
    message: z.string(),
    registryReference: z.string().optional(),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

/** A finding with the level and severity that the table gives its code. */
export function makeFinding(
  code: FindingCode,
  field: string | null,
  message: string,
  registryReference?: string,
): Finding {
  const { level, severity } = FINDING_CODES[code];
  const finding: Finding = { level, severity, code, field, message };
  return registryReference === undefined ? finding : { ...finding, registryReference };
}

/** The same code where a record may stay as it is (D30): the severity of the table is for what is new. */
export function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'WARNING' };
}

/** Only errors of levels 1 to 3 reject; level 4 never does (api.md, "States and transitions"). */
export function isRejecting(finding: Finding): boolean {
  return finding.severity === 'ERROR' && finding.level <= 3;
}
