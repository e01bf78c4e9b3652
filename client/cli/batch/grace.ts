import { setMaxListeners } from 'node:events';

/** How long what is in flight may take to end after an interruption. */
const GRACE_MS = 5_000;

/** Gives the work a signal that aborts some seconds after the interruption, so that most of what is in flight ends by itself. */
export async function withGrace<Result>(
  interruption: AbortSignal | undefined,
  work: (abort: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  // Each request in flight listens to it, and Node warns of a leak when more than ten do.
  setMaxListeners(0, abort.signal);
  let timer: NodeJS.Timeout | undefined;
  const onInterruption = () => {
    timer = setTimeout(() => abort.abort(), GRACE_MS);
  };
  interruption?.addEventListener('abort', onInterruption, { once: true });
  if (interruption?.aborted) onInterruption();
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
    interruption?.removeEventListener('abort', onInterruption);
  }
}
