import type { DataOf } from './api/contract.ts';

type Flag = DataOf<'readFlag'>;

// The words that the console shows for the registry's vocabularies.

export const FLAG_TYPE_WORDS: Record<Flag['type'], string> = {
  POSSIBLE_DUPLICATE: 'Possible duplicate',
  OVERLAPPING_COVERAGE: 'Overlapping coverage',
  VEHICLE_MISMATCH: 'Vehicle mismatch',
  IDENTIFIER_CONFLICT: 'Identifier conflict',
};

export const FLAG_STATUS_WORDS: Record<Flag['status'], string> = {
  OPEN: 'Open',
  CLEARED: 'Cleared',
  REFERRED_TO_INSURER: 'Referred to insurer',
  RESOLVED_BY_AMENDMENT: 'Resolved by amendment',
};

export const FLAG_ORDER_WORDS = { oldest: 'Oldest first', newest: 'Newest first' } as const;

export const RECORD_ORDER_WORDS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
} as const;

export const IDENTIFIER_WORDS = {
  chassisNumber: 'Chassis number',
  engineNumber: 'Engine number',
  mvFileNumber: 'MV file number',
  plateNumber: 'Plate number',
} as const;

export const ROLE_WORDS = {
  ADMINISTRATOR: 'Administrator',
  REVIEWER: 'Reviewer',
  AUDITOR: 'Auditor',
} as const;

const ABBREVIATIONS = /\b(?:uv|tnvs|mfa|ppai)\b/g;

/** A constant of the registry as a person reads it: UV_EXPRESS → UV express. */
export function inWords(constant: string): string {
  const words = constant
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(ABBREVIATIONS, (one) => one.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words of a whole vocabulary, for `SelectField` and `SelectFilter`. */
export function wordsOf<Constant extends string>(
  constants: readonly Constant[],
): Record<Constant, string> {
  return Object.fromEntries(constants.map((one) => [one, inWords(one)])) as Record<
    Constant,
    string
  >;
}

export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}
