import { makeBody } from '../api/bodies.ts';
import type { Stack } from '../api/stack.ts';

/** Limits of a claim of one transmission, which then stays claimed for half a minute. */
export const ONE_HELD = { leaseSeconds: 30, transmissionsMax: 1, vehiclesMax: 500 };

/** Posts and changes transmissions of a stack without a running worker. */
export function makeIntake(stack: Stack) {
  const { context } = stack.api;
  const read = (id: string) => context.db.transmission.findUniqueOrThrow({ where: { id } });
  return {
    /** Posts a certificate. Its job is in the queue, or was refused, when this resolves. */
    post: async (body = makeBody()) => {
      const { status } = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
      expect(status).toBe(202);
      await context.loaders.untilWoken();
      const { externalTransactionId } = body;
      const { id } = await context.db.transmission.findFirstOrThrow({
        where: { externalTransactionId },
      });
      return { id, externalTransactionId, cocNumber: body.certificate.cocNumber ?? '', body };
    },
    read,
    countCertificates: (cocNumber: string) =>
      context.db.certificate.count({ where: { cocNumber } }),
    /** Ends all leases and pauses, and makes the sweeper look at every row. */
    makeAllDue: () => context.db.$executeRaw`
      UPDATE transmissions SET sweep_at = now(), due_at = now() WHERE completed_at IS NULL`,
    /** Makes the body unreadable, which is a fault of the service. Returns the function that repairs it. */
    spoil: async (id: string) => {
      const { bodySealed } = await read(id);
      const write = (sealed: Uint8Array<ArrayBuffer>) =>
        context.db.transmission.update({ where: { id }, data: { bodySealed: sealed } });
      await write(new Uint8Array([1, 2, 3]));
      return () => write(bodySealed);
    },
  };
}
