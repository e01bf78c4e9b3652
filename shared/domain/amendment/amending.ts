import type { Submission } from '../registration/submission.ts';

// What judging an amended record needs to know of the amendment.

export interface Amending {
  /** The record as it is registered now. */
  readonly before: Submission;
  /** Where a member of the amended record was sent, such as `changes.operator.name`; undefined when it was not. */
  readonly sentAt: (path: string) => string | undefined;
}

/**
 * The `field` of a finding: the first of the paths that was sent, as it was sent; else the first as the record has it.
 * A new certificate is sent whole. `others` are members that may be the cause as well.
 */
export function fieldOf(
  amending: Amending | undefined,
  path: string,
  ...others: readonly string[]
): string {
  if (amending === undefined) return path;
  for (const one of [path, ...others]) {
    const sent = amending.sentAt(one);
    if (sent !== undefined) return sent;
  }
  return path;
}
