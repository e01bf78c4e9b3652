import { findFirstWaiting } from '../shared/store/intake/claim.ts';
import type { WorkerContext } from './context.ts';
import { failureReason } from './retry-policy.ts';

/** This process stops. The waiting transmissions may have no job of their own, so another worker gets one. */
export async function handOff(context: WorkerContext): Promise<void> {
  try {
    const first = await findFirstWaiting(context.db);
    if (first !== undefined) await context.producer.enqueue([first]);
  } catch (error) {
    context.logger.warn(
      { reason: failureReason(error) },
      'waiting transmissions could not be handed off; the sweeper will enqueue them again',
    );
  }
}

/** Enqueues a transmission that this worker leaves to another one. Never rejects. */
export async function wakeAnother(
  { producer, logger }: WorkerContext,
  transmission: { readonly id: string },
): Promise<void> {
  try {
    await producer.enqueue([transmission]);
  } catch (error) {
    logger.warn(
      { transmissionId: transmission.id, reason: failureReason(error) },
      'no other worker could be woken; this one claims the transmission next',
    );
  }
}
