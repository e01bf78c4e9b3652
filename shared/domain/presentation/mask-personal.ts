import type { DiffEntry } from '../../contract/machine/record.ts';
import type { Submission, SubmittedOperator } from '../registration/submission.ts';
import { maskEmail, maskPhone, maskTin, PERSONAL_MASKS } from './masking.ts';

/** The operator as it may leave the service: personal members only masked, and named so (D22). */
export type MaskedOperator = Omit<SubmittedOperator, keyof typeof PERSONAL_MASKS> & {
  readonly tinMasked: string | null;
  readonly contactEmailMasked: string | null;
  readonly contactPhoneMasked: string | null;
};

export function maskOperator(operator: SubmittedOperator): MaskedOperator {
  const { tin, contactEmail, contactPhone, ...open } = operator;
  return {
    ...open,
    tinMasked: maskTin(tin),
    contactEmailMasked: maskEmail(contactEmail),
    contactPhoneMasked: maskPhone(contactPhone),
  };
}

/** The snapshot of a version: the certificate as registered, its operator masked as in record detail (D22). */
export function maskSnapshot(snapshot: Submission): Record<string, unknown> {
  return { ...snapshot, operator: maskOperator(snapshot.operator) };
}

/** Paths stay as they are; what `operator.tin` and the like held before and after is masked (D22). */
export function maskDiff(diff: readonly DiffEntry[]): DiffEntry[] {
  return diff.map((entry) => ({
    path: entry.path,
    ...('before' in entry ? { before: maskAt(entry.path, entry.before) } : {}),
    ...('after' in entry ? { after: maskAt(entry.path, entry.after) } : {}),
  }));
}

const MASKS = new Map<string, (text: string) => string | null>(
  Object.entries(PERSONAL_MASKS).map(([name, mask]) => [`operator.${name}`, mask]),
);

function maskAt(path: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (path === 'operator' && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, maskAt(`operator.${name}`, member)]),
    );
  }
  const mask = MASKS.get(path);
  if (mask === undefined) return value;
  return typeof value === 'string' ? mask(value) : '***';
}
