import { type Review, reviewFlag } from '../../../shared/store/staff/flags/review.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { commandOf } from './command.ts';

/** The oldest flags, so that those of the last two weeks or so stay open. */
const DECIDED = 30;

const DECISIONS: readonly Omit<Review, 'flagId'>[] = [
  { status: 'CLEARED', notes: 'Compared with the photographs of the insurer: it is this vehicle.' },
  { status: 'REFERRED_TO_INSURER', notes: 'Please check plate and engine number at the vehicle.' },
  { status: 'CLEARED', notes: 'Registered only last week; the regional file has it next month.' },
];

/** Decides the oldest flags in turn. */
export async function decideOldFlags(context: WorkerContext): Promise<void> {
  const { db, keyring } = context;
  const flags = await db.flag.findMany({
    where: { status: 'OPEN' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: DECIDED,
    select: { id: true },
  });
  for (const [index, { id: flagId }] of flags.entries()) {
    const decision = DECISIONS[index % DECISIONS.length];
    if (decision === undefined) continue;
    const by = commandOf(context);
    await db.$transaction((tx) => reviewFlag(tx, keyring, { flagId, ...decision }, by));
  }
}
