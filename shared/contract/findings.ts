import { z } from 'zod';
import { Severity } from './enums.ts';
import type { Explanation } from './errors.ts';

interface FindingEntry extends Explanation {
  readonly level: 1 | 2 | 3 | 4;
  readonly severity: Severity;
}

/**
 * The detail codes of api.md, "Validation levels", and those that decisions.md adds (D6, D14):
 * code → level, severity, cause and remedy. docs/errors.md is written from it: `npm run docs`.
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
    cause: 'A value does not have the form, range or vocabulary of its field.',
    remedy: '`message` says what is expected; correct the value.',
  },
  INVALID_DATE_RANGE: {
    level: 2,
    severity: 'ERROR',
    cause:
      'Dates contradict each other, such as an expiration date that is not after the effective date, or lie outside the range that is allowed.',
    remedy: 'Correct the dates as `message` says.',
  },
  COVERAGE_TOO_LONG: {
    level: 2,
    severity: 'ERROR',
    cause: 'The certificate covers more days than the rule set allows.',
    remedy:
      'Shorten the coverage to the number of days that `message` gives, and transmit the rest as another certificate. As a WARNING it needs nothing: the record may keep what it has.',
  },
  UNSUPPORTED_COVERAGE_TYPE: {
    level: 2,
    severity: 'ERROR',
    cause: 'The coverage type is not one that the rule set allows now.',
    remedy:
      'Use one that `message` lists. As a WARNING it needs nothing: the record may keep what it has.',
  },
  DUPLICATE_IDENTIFIER_IN_PAYLOAD: {
    level: 2,
    severity: 'ERROR',
    cause:
      'Two vehicles of the certificate have the same plate, MV file, engine or chassis number once spaces, hyphens and case are left aside.',
    remedy: 'Correct the identifier at `field`, or remove the vehicle that is listed twice.',
  },
  UNKNOWN_FIELD: {
    level: 2,
    severity: 'WARNING',
    cause: 'The body has a member, or the address a parameter, of a name that is not known here.',
    remedy:
      'As a WARNING the member was ignored: check its spelling and place. As an ERROR, correct it or leave it out.',
  },
  NO_CHANGES: {
    level: 2,
    severity: 'ERROR',
    cause: 'The amendment changes nothing: the record has all these values already.',
    remedy:
      'Nothing needs to be sent. If you meant another change, correct it and use a new externalTransactionId.',
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
      'The amendment changes a detail of a policy under which other certificates are registered, cancelled ones included.',
    remedy:
      'Leave the field out, or cancel the record and transmit the certificate under another policy number.',
  },
  VEHICLE_NOT_ON_RECORD: {
    level: 2,
    severity: 'ERROR',
    cause: 'The amendment updates or removes a vehicle that the record does not have now.',
    remedy: 'Read the record and name the vehicle by one identifier as the record has it.',
  },
  RECORD_MISMATCH: {
    level: 2,
    severity: 'ERROR',
    cause: 'The number at `field` is not that of the record.',
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

  UNKNOWN_INSURER: {
    level: 3,
    severity: 'ERROR',
    cause: 'No insurance company has this code.',
    remedy: 'Check issuingInsurerCode; the regulator gives out the codes.',
  },
  INSURER_NOT_ACTIVE: {
    level: 3,
    severity: 'ERROR',
    cause: 'The issuing insurer is suspended or closed.',
    remedy: 'Nothing can be transmitted, amended or cancelled for it. Ask the regulator.',
  },
  ORGANIZATION_NOT_ACTIVE: {
    level: 3,
    severity: 'ERROR',
    cause: 'Your organization, or the pool that was named, is not active.',
    remedy:
      'For a pool, name another one or none. Otherwise ask the regulator; your organization can still read.',
  },
  NOT_AUTHORIZED_TO_TRANSMIT: {
    level: 3,
    severity: 'ERROR',
    cause:
      "You are neither the insurer itself nor, on the policy's issuance date, lead insurer or management company of an active pool that it belonged to.",
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
    cause:
      'The operation of the staff realm takes a second-factor code that is no older than 15 minutes.',
    remedy: 'Send a code to /auth/v1/mfa/renew, then repeat the request. The session goes on.',
  },
  PASSWORD_CHANGE_REQUIRED: {
    level: 3,
    severity: 'ERROR',
    cause: 'The password of the staff user is an initial one.',
    remedy: 'Choose another one at /auth/v1/password, then repeat the request.',
  },
  DUPLICATE_TRANSMISSION: {
    level: 3,
    severity: 'ERROR',
    cause:
      'The insurer has a record with this policy and certificate number and the same vehicles.',
    remedy:
      'Nothing needs to be sent: `registryReference` names the record. If that is cancelled, use another certificate number.',
  },
  COC_ALREADY_REGISTERED: {
    level: 3,
    severity: 'ERROR',
    cause: 'The insurer has a record with this policy and certificate number and other vehicles.',
    remedy:
      'Amend the record that `registryReference` names. If that is cancelled, or this is a new certificate, use another certificate number.',
  },
  VEHICLE_ALREADY_INSURED: {
    level: 3,
    severity: 'ERROR',
    cause:
      'The vehicle at `field` has coverage in force on at least one of these days, matched by any one identifier, former ones included.',
    remedy:
      '`message` names the insurer and the expiration date. Let the new certificate begin after that date, or have the other one cancelled.',
  },
  POLICY_DETAILS_DIFFER: {
    level: 3,
    severity: 'WARNING',
    cause:
      "The policy is registered with other details; the certificate was registered with the policy's own.",
    remedy:
      'Nothing if the registered details are right. Other details need another policy number.',
  },

  REFERENCE_MATCHED: {
    level: 4,
    severity: 'INFO',
    cause: "All four identifiers match one vehicle of the regulator's reference data.",
    remedy: 'Nothing.',
  },
  REFERENCE_PARTIAL_MATCH: {
    level: 4,
    severity: 'WARNING',
    cause:
      'Some identifiers match a vehicle of the reference data; `message` names those that differ.',
    remedy:
      "Compare them with the vehicle's papers. If one was mistyped, amend the record; otherwise the regulator reviews it.",
  },
  REFERENCE_FOR_REVIEW: {
    level: 4,
    severity: 'WARNING',
    cause:
      'The identifiers belong to several vehicles of the reference data, or contradict the one that they point to.',
    remedy:
      "Compare them with the vehicle's papers. If one was mistyped, amend the record; otherwise the regulator reviews it.",
  },
  REFERENCE_NO_MATCH: {
    level: 4,
    severity: 'WARNING',
    cause: 'The region has reference data, and no identifier of the vehicle is in it.',
    remedy:
      'Check the identifiers and the region. If they are right, nothing: the certificate is registered, and the regulator reviews it.',
  },
  REFERENCE_DATA_UNAVAILABLE: {
    level: 4,
    severity: 'WARNING',
    cause: 'The region has no reference data, so the vehicle was not checked.',
    remedy: 'Nothing if the region is right: the certificate is registered.',
  },
  FINDINGS_OMITTED: {
    level: 4,
    severity: 'WARNING',
    cause: 'There are more findings than are listed.',
    remedy: 'Correct those that are listed and send again; the others are then listed.',
  },
} as const satisfies Record<string, FindingEntry>;

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
