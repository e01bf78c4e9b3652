import type { ErrorCode } from '../errors.ts';
import { type Finding, type FindingCode, isRejecting } from '../findings.ts';

/** Findings that alone decide the top-level code, whatever the other findings, strongest first (D14, D15). */
const DECISIVE = [
  ['RECORD_CANCELLED', 'RECORD_CANCELLED'],
  ['VERSION_MISMATCH', 'CONFLICT'],
  ['RECORD_MISMATCH', 'RECORD_MISMATCH'],
  ['IMMUTABLE_FIELD', 'IMMUTABLE_FIELD'],
] as const satisfies readonly (readonly [finding: FindingCode, code: ErrorCode])[];

/** Findings that give the code of the same name if there is no other kind of finding, strongest first (D11). */
const REGISTRY_CONFLICTS = [
  'DUPLICATE_TRANSMISSION',
  'COC_ALREADY_REGISTERED',
  'VEHICLE_ALREADY_INSURED',
] as const satisfies readonly (FindingCode & ErrorCode)[];

/** Every code that `rejectionCode` can return. */
export const REJECTION_CODES: ReadonlySet<ErrorCode> = new Set([
  ...DECISIVE.map(([, code]) => code),
  ...REGISTRY_CONFLICTS,
  'VALIDATION_FAILED',
]);

/** The top-level code of a rejection (D11); null when no finding rejects. A replay derives its code from the stored findings. */
export function rejectionCode(findings: readonly Finding[]): ErrorCode | null {
  const found = new Set<string>(findings.filter(isRejecting).map(({ code }) => code));
  if (found.size === 0) return null;
  const [, decided] = DECISIVE.find(([finding]) => found.has(finding)) ?? [];
  if (decided !== undefined) return decided;
  const conflicts = REGISTRY_CONFLICTS.filter((code) => found.has(code));
  const [strongest] = conflicts;
  return strongest === undefined || conflicts.length < found.size ? 'VALIDATION_FAILED' : strongest;
}
