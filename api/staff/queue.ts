import type { QUEUE_ENDPOINTS, QueueState } from '../../shared/contract/staff/queue.ts';
import { queueAddFailed } from '../../shared/platform/events.ts';
import {
  groupParked,
  listParked,
  type SendingAgain,
  sendAgain,
  sendAllAgain,
} from '../../shared/store/intake/parked.ts';
import { readQueueState } from '../../shared/store/intake/queue-state.ts';
import type { ApiContext } from '../context.ts';
import { actAsStaff } from './act.ts';
import { type HandlersOf, ok } from './route.ts';

export const QUEUE_HANDLERS: HandlersOf<typeof QUEUE_ENDPOINTS> = {
  async readQueue({ db, producer }, { logger }) {
    // Staff look here when the queue is in trouble, so its failure must not hide the rest.
    const counting = producer.depth().catch((err: unknown) => {
      logger.warn({ err }, 'the jobs of the queue could not be counted');
      return null;
    });
    const state = await readQueueState(db);
    return ok({ ...state, jobs: await counting } satisfies QueueState);
  },

  async listParked({ db }, { query }) {
    return ok(await listParked(db, query));
  },

  async groupParked({ db }, { query }) {
    return ok(await groupParked(db, query));
  },

  async sendAgain(context, request) {
    const { transmissionReference } = request.params;
    const sending = await actAsStaff(context, request, (tx, by) =>
      sendAgain(tx, transmissionReference, by),
    );
    await enqueue(context, sending);
    return ok(sending.answer);
  },

  async sendAllAgain(context, request) {
    const sending = await actAsStaff(context, request, (tx, by) =>
      sendAllAgain(tx, request.body, by),
    );
    await enqueue(context, sending);
    return ok(sending.answer);
  },
};

/** Runs after the commit. If the queue refuses the jobs, the sweeper enqueues them. */
async function enqueue(context: ApiContext, { woken }: SendingAgain): Promise<void> {
  try {
    await context.producer.enqueue(woken);
  } catch (err) {
    queueAddFailed(context, { transmissions: woken.length, err });
  }
}
