import type { DiffEntry } from '../../contract/machine/record.ts';
import type { Submission, SubmittedOperator } from '../registration/submission.ts';
import { maskEmail, maskPhone, maskTin, PERSONAL_MASKS } from './masking.ts';

/** The operator with masked personal members, whose names say so (D22). Only this form may leave the service. */
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

/** The snapshot of a version with its operator masked as in record detail (D22). */
export function maskSnapshot(snapshot: Submission): Record<string, unknown> {
  return { ...snapshot, operator: maskOperator(snapshot.operator) };
}

/** The diff with masked values of personal members such as `operator.tin`. Paths do not change (D22). */
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
