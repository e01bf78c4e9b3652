import { setTimeout as sleep } from 'node:timers/promises';

/** A moment in which workers had just taken some. */
export interface Mark {
  readonly taken: number;
  /** By the clock of `performance`. */
  readonly atMs: number;
}

/** Keeps as much waiting as workers need to be at work without a pause, however fast requests are accepted. */
export interface Pace {
  /** Resolves when one more may be sent; at once when nothing more is needed. */
  readonly hold: () => Promise<void>;
  /** Aborted when nothing more is needed. */
  readonly signal: AbortSignal;
  /**
   * Resolves when so many were taken, at the moment at which their count grows: from one of these moments to another one no part
   * of a batch is counted without its time.
   */
  reach(taken: number): Promise<Mark>;
  /**
   * The same, but not before as many wait as are kept waiting: until then more is accepted than taken, which would be counted as work for
   * what is taken. When as many again were taken and it is still not so, workers are the faster ones, and no more will ever wait.
   */
  reachFull(taken: number): Promise<Mark>;
  stop(): void;
}

export interface PaceOptions {
  /** A count that only grows. */
  readonly countTaken: () => Promise<number>;
  readonly waitingMax: number;
}

const LOOK_MS = 20;
const UNCHANGED_MS_MAX = 120_000;

export function makePace({ countTaken, waitingMax }: PaceOptions): Pace {
  const stopping = new AbortController();
  const { signal } = stopping;
  let sent = 0;
  let taken = 0;
  let wasFull = false;
  let held: (() => void)[] = [];
  const release = (): void => {
    const before = held;
    held = [];
    for (const resume of before) resume();
  };
  signal.addEventListener('abort', release);
  const grown = async (): Promise<Mark> => {
    const endsAt = performance.now() + UNCHANGED_MS_MAX;
    for (;;) {
      const now = await countTaken();
      const atMs = performance.now();
      if (now > taken) {
        taken = now;
        release();
        return { taken, atMs };
      }
      if (atMs > endsAt) throw new Error('nothing more was taken in time');
      await sleep(LOOK_MS);
    }
  };
  const reach = async (wanted: number): Promise<Mark> => {
    for (;;) {
      const mark = await grown();
      if (mark.taken >= wanted) return mark;
    }
  };
  return {
    signal,
    hold: async () => {
      while (sent - taken >= waitingMax && !signal.aborted) {
        wasFull = true;
        await new Promise<void>((resume) => held.push(resume));
      }
      sent += 1;
    },
    reach,
    reachFull: async (wanted) => {
      for (;;) {
        const mark = await reach(wanted);
        if (wasFull || mark.taken >= wanted + waitingMax) return mark;
      }
    },
    stop: () => stopping.abort(),
  };
}
