import { z } from 'zod';

/** The message from a supervised process to its supervisor when it is ready, with the addresses on which it listens. */
export const ReadyMessage = z.object({
  ready: z.object({ url: z.string().optional(), healthUrl: z.string().optional() }),
});
export type ReadyDetails = z.infer<typeof ReadyMessage>['ready'];

/** Does nothing without a supervisor. */
export function reportReady(details: ReadyDetails = {}): void {
  process.send?.({ ready: details } satisfies z.infer<typeof ReadyMessage>);
}
