type Query = Readonly<Record<string, string | undefined>>;

/** The two filters of the API as one choice. Another user's id stays as it is, as in a link from a colleague. */
export function assigneeChoice({ assigneeId, assigned }: Query, ownId: string): string {
  if (assigneeId !== undefined) return assigneeId === ownId ? 'mine' : assigneeId;
  if (assigned === 'false') return 'nobody';
  return assigned === 'true' ? 'somebody' : '';
}

export function assigneeFilters(
  choice: string,
  ownId: string,
): { assigneeId: string; assigned: string } {
  if (choice === 'mine') return { assigneeId: ownId, assigned: '' };
  if (choice === 'nobody') return { assigneeId: '', assigned: 'false' };
  return { assigneeId: '', assigned: choice === 'somebody' ? 'true' : '' };
}
