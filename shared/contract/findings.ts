import { z } from 'zod';
import { CONFLICT_CODES } from './conflict-codes.ts';
import { Severity } from './enums.ts';
import type { Explanation } from './errors.ts';

export interface FindingEntry extends Explanation {
  readonly level: 1 | 2 | 3 | 4;
  readonly severity: Severity;
}

/**
 * The detail codes of api.md, "Validation levels", and the codes that decisions.md adds (D6, D14):
 * code → level, severity, cause and remedy. `npm run docs` writes docs/errors.md from this table.
 */
export const FINDING_CODES = {
  REQUIRED: {
    level: 1,
    severity: 'ERROR',
    cause: 'A required field is absent, null or blank.',
    remedy: 'Send the field that `field` names.',
  },

  INVALID_FORMAT: {
    level: 2,
    severity: 'ERROR',
    cause: 'A value does not match the format, range or vocabulary of its field.',
    remedy: 'Correct the value as `message` says.',
  },
  INVALID_DATE_RANGE: {
    level: 2,
    severity: 'ERROR',
    cause:
      'Dates contradict each other, such as an expiration date that is not after the effective date, or lie outside the permitted range.',
    remedy: 'Correct the dates as `message` says.',
  },
  COVERAGE_TOO_LONG: {
    level: 2,
    severity: 'ERROR',
    cause: 'The certificate covers more days than the rule set allows.',
    remedy:
      'Shorten the coverage to the number of days that `message` gives, and transmit the rest as another certificate. A WARNING needs no action: the record may keep its dates.',
  },
  UNSUPPORTED_COVERAGE_TYPE: {
    level: 2,
    severity: 'ERROR',
    cause: 'The current rule set does not allow the coverage type.',
    remedy:
      'Use a type that `message` lists. A WARNING needs no action: the record may keep its type.',
  },
  DUPLICATE_IDENTIFIER_IN_PAYLOAD: {
    level: 2,
    severity: 'ERROR',
    cause:
      'Two vehicles of the certificate have the same plate, MV file, engine or chassis number. Spaces, hyphens and case do not count.',
    remedy: 'Correct the identifier at `field`, or remove the vehicle that is listed twice.',
  },
  UNKNOWN_FIELD: {
    level: 2,
    severity: 'WARNING',
    cause: 'The body has a member, or the query a parameter, that the operation does not know.',
    remedy:
      'WARNING: the member was ignored; check its spelling and its place. ERROR: correct it or leave it out.',
  },
  CURSOR_UNKNOWN: {
    level: 2,
    severity: 'ERROR',
    cause:
      "The cursor is not one of your organization's change feed, or the registry was restored from a backup since.",
    remedy: 'Read the feed from its beginning: leave out `after`.',
  },
  NO_CHANGES: {
    level: 2,
    severity: 'ERROR',
    cause: 'The amendment changes nothing: the record already has all these values.',
    remedy:
      'You need to send nothing. If you meant another change, correct it and use a new externalTransactionId.',
  },
  IMMUTABLE_FIELD: {
    level: 2,
    severity: 'ERROR',
    cause: 'The amendment changes the insurer, the policy number or the certificate number.',
    remedy:
      'Leave the field out. If the number is wrong, cancel the record and transmit the certificate anew.',
  },
  POLICY_SHARED_BY_OTHER_CERTIFICATES: {
    level: 2,
    severity: 'ERROR',
    cause:
      'The amendment changes a detail of a policy that has other certificates. Cancelled certificates count too.',
    remedy:
      'Leave the field out, or cancel the record and transmit the certificate under another policy number.',
  },
  VEHICLE_NOT_ON_RECORD: {
    level: 2,
    severity: 'ERROR',
    cause: 'The amendment updates or removes a vehicle that the record does not have now.',
    remedy: 'Read the record and name the vehicle by one identifier that the record shows.',
  },
  RECORD_MISMATCH: {
    level: 2,
    severity: 'ERROR',
    cause: 'The number at `field` is not the number of the record.',
    remedy: 'Check the registry reference and the number.',
  },
  RECORD_CANCELLED: {
    level: 2,
    severity: 'ERROR',
    cause: 'The record is cancelled.',
    remedy:
      'A cancelled record cannot be changed. For new coverage, transmit a certificate with another number.',
  },
  VERSION_MISMATCH: {
    level: 2,
    severity: 'ERROR',
    cause: 'The record has changed since you read it: expectedVersion is not its version.',
    remedy: 'Read the record again, then amend it with its current version.',
  },
  ...CONFLICT_CODES,

  UNKNOWN_INSURER: {
    level: 3,
    severity: 'ERROR',
    cause: 'No insurance company has this code.',
    remedy: 'Check issuingInsurerCode; the regulator assigns the codes.',
  },
  INSURER_NOT_ACTIVE: {
    level: 3,
    severity: 'ERROR',
    cause: 'The issuing insurer is suspended or closed.',
    remedy: 'Nobody can transmit, amend or cancel for this insurer. Ask the regulator.',
  },
  ORGANIZATION_NOT_ACTIVE: {
    level: 3,
    severity: 'ERROR',
    cause: 'Your organization, or the pool that you named, is not active.',
    remedy:
      'For a pool, name another one or none. Otherwise ask the regulator; your organization can still read.',
  },
  NOT_AUTHORIZED_TO_TRANSMIT: {
    level: 3,
    severity: 'ERROR',
    cause:
      "You are neither the insurer itself nor, on the policy's issuance date, lead insurer or management company of an active pool that the insurer belonged to.",
    remedy:
      "Check issuingInsurerCode, poolCode and policy.issuanceDate. If they are right, ask the regulator to correct the pool's memberships.",
  },
  POOL_MEMBERSHIP_NOT_FOUND: {
    level: 3,
    severity: 'ERROR',
    cause: "The issuing insurer did not belong to this pool on the policy's issuance date.",
    remedy: 'Check poolCode and policy.issuanceDate, or leave the pool out.',
  },
  MISSING_SCOPE: {
    level: 3,
    severity: 'ERROR',
    cause: 'The token lacks the scope of this operation, or the client has lost it.',
    remedy:
      'Request a token with the scope that `message` names. If the client does not have it, ask the regulator.',
  },
  FRESH_CODE_REQUIRED: {
    level: 3,
    severity: 'ERROR',
    cause: 'The operation requires that you entered a second-factor code in the last 15 minutes.',
    remedy: 'Send a code to /auth/v1/mfa/renew, then repeat the request. The session continues.',
  },
  PASSWORD_CHANGE_REQUIRED: {
    level: 3,
    severity: 'ERROR',
    cause: 'The staff user still has the initial password.',
    remedy: 'Choose another password at /auth/v1/password, then repeat the request.',
  },
  DUPLICATE_TRANSMISSION: {
    level: 3,
    severity: 'ERROR',
    cause:
      'The insurer has a record with this policy and certificate number and the same vehicles.',
    remedy:
      'You need to send nothing: `registryReference` names the record. If that record is cancelled, use another certificate number.',
  },
  COC_ALREADY_REGISTERED: {
    level: 3,
    severity: 'ERROR',
    cause: 'The insurer has a record with this policy and certificate number and other vehicles.',
    remedy:
      'Amend the record that `registryReference` names. If that record is cancelled, or if this is a new certificate, use another certificate number.',
  },
  VEHICLE_ALREADY_INSURED: {
    level: 3,
    severity: 'ERROR',
    cause:
      'The vehicle at `field` has coverage in force on at least one of these days. Any current or former identifier matches.',
    remedy:
      '`message` names the insurer and the expiration date. Start the new certificate after that date, or have the other certificate cancelled.',
  },
  POLICY_DETAILS_DIFFER: {
    level: 3,
    severity: 'WARNING',
    cause:
      'The policy is registered with other details; the certificate was registered with the registered details.',
    remedy:
      'No action if the registered details are right. Other details need another policy number.',
  },

  REFERENCE_MATCHED: {
    level: 4,
    severity: 'INFO',
    cause: "All four identifiers match one vehicle of the regulator's reference data.",
    remedy: 'No action.',
  },
  REFERENCE_PARTIAL_MATCH: {
    level: 4,
    severity: 'WARNING',
    cause:
      'Some identifiers match a vehicle of the reference data; `message` names the identifiers that differ.',
    remedy:
      "Compare them with the vehicle's papers. If one was mistyped, amend the record; otherwise the regulator reviews it.",
  },
  REFERENCE_FOR_REVIEW: {
    level: 4,
    severity: 'WARNING',
    cause:
      'The identifiers belong to several vehicles of the reference data, or differ from the vehicle that they match.',
    remedy:
      "Compare them with the vehicle's papers. If one was mistyped, amend the record; otherwise the regulator reviews it.",
  },
  REFERENCE_NO_MATCH: {
    level: 4,
    severity: 'WARNING',
    cause: 'The region has reference data, and no identifier of the vehicle is in it.',
    remedy:
      'Check the identifiers and the region. If they are right, no action: the certificate is registered, and the regulator reviews it.',
  },
  REFERENCE_DATA_UNAVAILABLE: {
    level: 4,
    severity: 'WARNING',
    cause: 'The region has no reference data, so the vehicle was not checked.',
    remedy: 'No action if the region is right: the certificate is registered.',
  },
  FINDINGS_OMITTED: {
    level: 4,
    severity: 'WARNING',
    cause: 'There are more findings than the answer lists.',
    remedy: 'Correct the listed findings and send again; the answer then lists the others.',
  },
} as const satisfies Record<string, FindingEntry>;

export type FindingCode = keyof typeof FINDING_CODES;

/** One observation about a request (api.md, "Envelope"). */
export const Finding = z
  .strictObject({
    level: z.int().min(1).max(4),
    severity: Severity,
    code: z
      .string()
      .describe('Branch on codes that you know; handle other codes by level and severity.'),
    field: z
      .string()
      .nullable()
      .describe('The path of the field, such as vehicles[3].chassisNumber.'),
    message: z.string(),
    registryReference: z.string().optional(),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

/** Makes a finding with the level and severity of its code. */
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

/** The finding as a warning, for a value that an existing record may keep (D30). */
export function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'WARNING' };
}

/** Only an error of levels 1 to 3 rejects a transmission (api.md, "States and transitions"). */
export function isRejecting(finding: Finding): boolean {
  return finding.severity === 'ERROR' && finding.level <= 3;
}
