/** The key of what is typed for a new rule set that begins with the values of another one; null for the one in force. */
export function newDraftKeyOf(from: string | null): string {
  return `new rule set from ${from ?? 'the one in force'}`;
}

/** The key of what is typed to change a rule set. */
export function draftKeyOf(ruleSetId: string): string {
  return `rule set ${ruleSetId}`;
}
