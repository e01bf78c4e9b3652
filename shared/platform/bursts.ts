/** Lets several go on together, and then nobody for a while. */
export interface Bursts {
  /** Resolves when the next burst of `who` begins: at once when its last one is long enough ago. */
  untilNext(who: string): Promise<void>;
}

export interface BurstsOptions {
  /** Milliseconds from one burst to the next. */
  readonly gapMs: number;
  /** So many go on together, and more where the last would wait longer than `waitMsMax` otherwise. */
  readonly size: number;
  /** Milliseconds, `gapMs` at least. */
  readonly waitMsMax: number;
}

interface Resting {
  /** In the order in which they came. */
  readonly waiting: (() => void)[];
  /** Never less while somebody waits, so that everyone's turn comes when it was told to. */
  together: number;
}

/** Each `who` has bursts of its own; a first one that comes alone begins one. */
export function makeBursts({ gapMs, size, waitMsMax }: BurstsOptions): Bursts {
  const resting = new Map<string, Resting>();
  const burstsMax = Math.floor(waitMsMax / gapMs);

  const rest = (who: string, one: Resting): void => {
    resting.set(who, one);
    setTimeout(() => {
      const begun = one.waiting.splice(0, one.together);
      if (one.waiting.length === 0) one.together = size;
      if (begun.length === 0) resting.delete(who);
      else rest(who, one);
      for (const begin of begun) begin();
    }, gapMs);
  };
  return {
    untilNext: async (who) => {
      const one = resting.get(who);
      if (one === undefined) return rest(who, { waiting: [], together: size });
      await new Promise<void>((begin) => {
        const place = one.waiting.push(begin);
        one.together = Math.max(one.together, Math.ceil(place / burstsMax));
      });
    },
  };
}
