import type { Submission } from '../registration/submission.ts';

/** The amendment that the rules judge. */
export interface Amending {
  /** The record as it is registered now. */
  readonly current: Submission;
  /** The path in the request of a member of the amended record, such as `changes.operator.name`; undefined when not sent. */
  readonly findSentPath: (path: string) => string | undefined;
}

/**
 * The `field` of a finding: the request path of the first member that was sent, otherwise the record path of the first member.
 * `others` are members that may also be the cause. A new certificate is always sent completely.
 */
export function fieldOf(
  amending: Amending | undefined,
  path: string,
  ...others: readonly string[]
): string {
  if (amending === undefined) return path;
  for (const one of [path, ...others]) {
    const sent = amending.findSentPath(one);
    if (sent !== undefined) return sent;
  }
  return path;
}
