/** Turns of several who share what can do only so much at a time. */
export interface Turns {
  /** Runs `work` when it is the turn of `who`. */
  run<Result>(who: string, work: () => Promise<Result>): Promise<Result>;
}

/** So long after two have met others are expected. */
export const MET_MS = 2_000;

interface Asking {
  running: number;
  /** In the order in which they came. */
  readonly waiting: (() => void)[];
}

/**
 * While one alone asks, nothing waits. From the moment two have met until a while after, each has `placesMax` places, so
 * that one waits for as many of every other, however many another has asked for. `now` is in milliseconds from any moment.
 */
export function makeTurns(placesMax: number, now = () => performance.now()): Turns {
  const asking = new Map<string, Asking>();
  let apartUntil = Number.NEGATIVE_INFINITY;

  const mayBegin = ({ running }: Asking): boolean => running < placesMax || now() >= apartUntil;
  const beginWaiting = (one: Asking): void => {
    while (one.waiting.length > 0 && mayBegin(one)) {
      one.running += 1;
      one.waiting.shift()?.();
    }
  };
  return {
    run: async (who, work) => {
      const one = asking.get(who) ?? { running: 0, waiting: [] };
      asking.set(who, one);
      if (asking.size > 1) apartUntil = now() + MET_MS;
      if (one.waiting.length === 0 && mayBegin(one)) one.running += 1;
      else await new Promise<void>((begin) => one.waiting.push(begin));
      try {
        return await work();
      } finally {
        one.running -= 1;
        beginWaiting(one);
        // Some of one that waits always run, so it is not forgotten and wakes the others of it.
        if (one.running === 0) asking.delete(who);
      }
    },
  };
}
