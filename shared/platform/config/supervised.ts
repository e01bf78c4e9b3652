import { z } from 'zod';

/** What a supervised process tells its supervisor once it serves; where it and its health server listen, if they do. */
export const ReadyMessage = z.object({
  ready: z.object({ url: z.string().optional(), healthUrl: z.string().optional() }),
});
export type ReadyDetails = z.infer<typeof ReadyMessage>['ready'];

/** Without a supervisor nothing happens. */
export function reportReady(details: ReadyDetails = {}): void {
  process.send?.({ ready: details } satisfies z.infer<typeof ReadyMessage>);
}
