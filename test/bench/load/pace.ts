import { setTimeout as sleep } from 'node:timers/promises';

/** A moment in which the count of those that are settled had just grown. */
export interface Mark {
  readonly settled: number;
  /** By the clock of `performance`. */
  readonly atMs: number;
}

/** Keeps as much in progress as a registry can be full of, however fast requests are accepted. */
export interface Pace {
  /** Resolves when one more may be sent; at once when nothing more is needed. */
  readonly hold: () => Promise<void>;
  /** Aborted when nothing more is needed. */
  readonly signal: AbortSignal;
  /**
   * Resolves when so many are settled, at the moment at which their count grows: batches are settled at once, and from one of
   * these moments to another one no part of a batch is counted without its time.
   */
  reach(settled: number): Promise<Mark>;
  stop(): void;
}

export interface PaceOptions {
  /** A count that only grows. */
  readonly countSettled: () => Promise<number>;
  readonly inProgressMax: number;
}

const LOOK_MS = 20;
const UNCHANGED_MS_MAX = 120_000;

export function makePace({ countSettled, inProgressMax }: PaceOptions): Pace {
  const stopping = new AbortController();
  const { signal } = stopping;
  let sent = 0;
  let settled = 0;
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
      const now = await countSettled();
      const atMs = performance.now();
      if (now > settled) {
        settled = now;
        release();
        return { settled, atMs };
      }
      if (atMs > endsAt) throw new Error('nothing more was settled in time');
      await sleep(LOOK_MS);
    }
  };
  return {
    signal,
    hold: async () => {
      while (sent - settled >= inProgressMax && !signal.aborted) {
        await new Promise<void>((resume) => held.push(resume));
      }
      sent += 1;
    },
    reach: async (wanted) => {
      for (;;) {
        const mark = await grown();
        if (mark.settled >= wanted) return mark;
      }
    },
    stop: () => stopping.abort(),
  };
}
