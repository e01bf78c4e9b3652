export interface RepeatOptions {
  /** Pause between the end of one pass and the start of the next, milliseconds. */
  readonly everyMs: number;
  /** Called with the error of a pass that throws. The next pass runs as usual. */
  readonly onError: (error: unknown) => void;
}

export interface Repeater {
  /** Starts no further pass and waits for the running one. */
  stop(): Promise<void>;
}

/** The random share of the pause, so that processes started together do not run their passes together. */
const JITTER = 0.2;

/** Runs passes one after another, never two at a time; the first begins at once. */
export function repeat(pass: () => Promise<void>, { everyMs, onError }: RepeatOptions): Repeater {
  const stopping = new AbortController();
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await pass();
      } catch (error) {
        onError(error);
      }
      await pause(everyMs * (1 - JITTER / 2 + Math.random() * JITTER), stopping.signal);
    }
  }
}

/** Resolves after `ms` or when the signal aborts, whichever is first; leaves neither timer nor listener behind. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
