import type { QueueState } from '../../../shared/contract/staff/queue.ts';
import { readQueueState } from '../../../shared/store/intake/queue-state.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readQueue(
  { db, producer }: ApiContext,
  { logger }: StaffRequest<'readQueue'>,
): Promise<StaffAnswer> {
  // The staff look here when the queue is in trouble: its silence must not hide the rest.
  const counting = producer.depth().catch((err: unknown) => {
    logger.warn({ err }, 'the jobs of the queue could not be counted');
    return null;
  });
  const state = await readQueueState(db);
  const data: QueueState = { ...state, jobs: await counting };
  return { status: 200, data };
}
