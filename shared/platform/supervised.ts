import { z } from 'zod';

/** What a supervised process tells its supervisor once it serves; `url` is where it listens, if it does. */
export const ReadyMessage = z.object({ ready: z.object({ url: z.string().optional() }) });

/** Without a supervisor nothing happens. */
export function reportReady(details: { readonly url?: string } = {}): void {
  process.send?.({ ready: details } satisfies z.infer<typeof ReadyMessage>);
}
