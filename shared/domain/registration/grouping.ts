import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import type { Submission } from './submission.ts';

/**
 * Splits a batch into groups that may be registered together: no two submissions of a group share an identifier or a
 * certificate number. Submissions that share one keep their order of receipt.
 */
export function independentGroups<Item>(
  items: readonly Item[],
  submissionOf: (item: Item) => Submission,
): Item[][] {
  if (items.length === 1) return [[...items]];
  const groups: Item[][] = [];
  const lastGroups = new LastGroups();
  for (const item of items) {
    const submission = submissionOf(item);
    const at = lastGroups.lastSharing(submission) + 1;
    lastGroups.set(submission, at);
    const group = groups[at];
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

/** The last group that contains each certificate number and each identifier. */
class LastGroups {
  readonly #ofNumbers = new Map<string, number>();
  readonly #ofIdentifiers = IDENTIFIER_KINDS.map((kind) => ({
    kind,
    groups: new Map<string, number>(),
  }));

  /** The last group that shares a number or an identifier with the submission; -1 when none does. */
  lastSharing(submission: Submission): number {
    let last = this.#ofNumbers.get(numberOf(submission)) ?? -1;
    for (const { kind, groups } of this.#ofIdentifiers) {
      for (const { [kind]: value } of submission.vehicles) {
        if (value !== null) last = Math.max(last, groups.get(value) ?? -1);
      }
    }
    return last;
  }

  set(submission: Submission, group: number): void {
    this.#ofNumbers.set(numberOf(submission), group);
    for (const { kind, groups } of this.#ofIdentifiers) {
      for (const { [kind]: value } of submission.vehicles) {
        if (value !== null) groups.set(value, group);
      }
    }
  }
}

function numberOf({ issuingInsurerCode, policy, certificate }: Submission): string {
  return JSON.stringify([issuingInsurerCode, policy.policyNumber, certificate.cocNumber]);
}
