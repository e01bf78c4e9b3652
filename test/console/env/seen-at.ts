import type { Stack } from '../../env/api/stack.ts';

/** When the latest session of a user was last extended. */
export async function seenAtOf({ api }: Stack, userId: string): Promise<Date> {
  const { seenAt } = await api.context.db.staffSession.findFirstOrThrow({
    where: { userId, stage: 'SESSION' },
    orderBy: { seenAt: 'desc' },
  });
  return seenAt;
}
