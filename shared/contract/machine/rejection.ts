import type { ErrorCode } from '../errors.ts';
import { type Finding, type FindingCode, isRejecting } from '../findings.ts';

/** Findings that decide by themselves, whatever else is found, strongest first, and their top-level code (D14, D15). */
const DECISIVE = [
  ['RECORD_CANCELLED', 'RECORD_CANCELLED'],
  ['VERSION_MISMATCH', 'CONFLICT'],
  ['RECORD_MISMATCH', 'RECORD_MISMATCH'],
  ['IMMUTABLE_FIELD', 'IMMUTABLE_FIELD'],
] as const satisfies readonly (readonly [finding: FindingCode, code: ErrorCode])[];

/** Findings that lead to the code of the same name when nothing else is found, strongest first (D11). */
const REGISTRY_CONFLICTS = [
  'DUPLICATE_TRANSMISSION',
  'COC_ALREADY_REGISTERED',
  'VEHICLE_ALREADY_INSURED',
] as const satisfies readonly (FindingCode & ErrorCode)[];

/** The top-level code of a rejection (D11); null when nothing rejects. A replay tells only the findings: this is its code, too. */
export function rejectionCode(findings: readonly Finding[]): ErrorCode | null {
  const found = new Set<string>(findings.filter(isRejecting).map(({ code }) => code));
  if (found.size === 0) return null;
  const [, decided] = DECISIVE.find(([finding]) => found.has(finding)) ?? [];
  if (decided !== undefined) return decided;
  const conflicts = REGISTRY_CONFLICTS.filter((code) => found.has(code));
  const [strongest] = conflicts;
  return strongest === undefined || conflicts.length < found.size ? 'VALIDATION_FAILED' : strongest;
}
