import type { CoverageStatus, Lifecycle } from '../../../shared/contract/enums.ts';
import { daysFrom } from '../calendar.ts';
import { formatFindings, referenceOutcome, requiredFindings } from './levels.ts';
import type { Ack, Answer, ModelFlag, Submission } from './state.ts';
import { isConflict, type Match } from './vehicles.ts';

export interface RaisedFlag {
  readonly type: ModelFlag['type'];
  readonly index: number;
  readonly plateNumber: string | null;
  /** Key of a record. */
  readonly related: string | null;
}

export interface Verdict {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly flags: readonly RaisedFlag[];
  readonly referenceMatches: readonly string[];
}

/** All four levels except authority. `conflicts` are the findings about other registered records. */
export function judge(
  submission: Submission,
  authority: readonly string[],
  today: string,
  matches: readonly Match[],
  conflicts: readonly string[],
): Verdict {
  const outcomes = submission.vehicles.map(referenceOutcome);
  const errors = [
    ...requiredFindings(submission),
    ...formatFindings(submission, today),
    ...authority,
    ...conflicts,
  ];
  const flags = submission.vehicles.flatMap(({ ids: { plateNumber } }, index): RaisedFlag[] => {
    const found = matches[index];
    return [
      ...(outcomes[index]?.isFlagged
        ? [{ type: 'VEHICLE_MISMATCH' as const, index, plateNumber, related: null }]
        : []),
      ...(found !== undefined && isConflict(found)
        ? [{ type: 'IDENTIFIER_CONFLICT' as const, index, plateNumber, related: null }]
        : []),
    ];
  });
  return {
    errors,
    warnings: outcomes.map(({ warning }) => warning),
    flags: errors.length > 0 ? [] : flags,
    referenceMatches: outcomes.map(
      ({ result }, index) => `${submission.vehicles[index]?.ids.plateNumber} ${result}`,
    ),
  };
}

/** The top-level code (D11). */
export function topCode(errors: readonly string[]): string {
  const codes = errors.map(codeOf);
  const conflicts = [
    'DUPLICATE_TRANSMISSION',
    'COC_ALREADY_REGISTERED',
    'VEHICLE_ALREADY_INSURED',
  ].filter((code) => codes.includes(code));
  const areAll = codes.every((code) => conflicts.includes(code));
  return areAll ? (conflicts[0] ?? 'VALIDATION_FAILED') : 'VALIDATION_FAILED';
}

export function codeOf(finding: string): string {
  return finding.split(' ')[0] ?? '';
}

const EXPIRING_WITHIN_DAYS = 30;

/** D12. */
export function coverageStatus(
  day: string,
  record: {
    readonly lifecycle: Lifecycle;
    readonly effectiveDate: string;
    readonly expirationDate: string;
  },
): CoverageStatus {
  if (record.lifecycle === 'CANCELLED') return 'CANCELLED';
  if (day > record.expirationDate) return 'EXPIRED';
  if (day < record.effectiveDate) return 'UPCOMING';
  return daysFrom(day, record.expirationDate) <= EXPIRING_WITHIN_DAYS ? 'EXPIRING' : 'ACTIVE';
}

/** The answer of a submitting endpoint that recorded the transmission. */
export function answerOf(ack: Ack, errorCode: string | null): Answer {
  if (errorCode === null) {
    return { status: ack.kind === 'CREATE' ? 201 : 200, code: null, details: [], data: ack };
  }
  const details = [...ack.errors, ...ack.warnings].sort();
  return { status: errorCode === 'CONFLICT' ? 409 : 422, code: errorCode, details, data: ack };
}

/** An error without data. */
export function refusal(status: number, code: string, details: readonly string[] = []): Answer {
  return { status, code, details: [...details].sort(), data: null };
}
