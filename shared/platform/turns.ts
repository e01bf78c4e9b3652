/** Turns of several who share what can do only so much at a time. */
export interface Turns {
  /** Runs `work` when it is the turn of `who`. */
  run<Result>(who: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether several ask, or did until a moment ago. */
  areShared(): boolean;
}

/** So long after two have met others are expected. */
export const MET_MS = 2_000;
/** Who takes longer gives up its place and goes on without: what hangs must not stop those behind it. */
export const HELD_MS = 500;

interface Asking {
  /** Places that are held. */
  held: number;
  /** In the order in which they came. */
  readonly waiting: (() => void)[];
}

/**
 * While one alone asks, nothing waits: a bound costs it what its requests share. From the moment two have met until a
 * while after, each has `placesMax` places, so that one waits for as many of every other, however many another has asked
 * for.
 */
export function makeTurns(placesMax: number): Turns {
  const asking = new Map<string, Asking>();
  let togetherUntil = Number.NEGATIVE_INFINITY;

  const areShared = (): boolean => performance.now() < togetherUntil;
  const mayBegin = ({ held }: Asking): boolean => held < placesMax || !areShared();
  const takePlace = async (one: Asking): Promise<void> => {
    if (one.waiting.length === 0 && mayBegin(one)) one.held += 1;
    else await new Promise<void>((begin) => one.waiting.push(begin));
  };
  const leavePlace = (who: string, one: Asking): void => {
    one.held -= 1;
    while (one.waiting.length > 0 && mayBegin(one)) {
      one.held += 1;
      one.waiting.shift()?.();
    }
    // Of one that waits some always hold a place, so it is not forgotten.
    if (one.held === 0) asking.delete(who);
  };
  return {
    areShared,
    run: async (who, work) => {
      const one = asking.get(who) ?? { held: 0, waiting: [] };
      asking.set(who, one);
      if (asking.size > 1) togetherUntil = performance.now() + MET_MS;
      await takePlace(one);
      let isHeld = true;
      const leave = (): void => {
        if (isHeld) leavePlace(who, one);
        isHeld = false;
      };
      const timer = setTimeout(leave, HELD_MS);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leave();
      }
    },
  };
}
