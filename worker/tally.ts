/** What this process took and settled since it last reported. */
export interface Tally {
  took(): void;
  settled(count: number): void;
  /** The counts since the last reading, and the rate over them per second. */
  read(): {
    readonly tookAny: boolean;
    readonly settled: number;
    readonly settledPerSecond: number;
  };
}

export function makeTally(): Tally {
  let tookAny = false;
  let settled = 0;
  let since = performance.now();
  return {
    took: () => {
      tookAny = true;
    },
    settled: (count) => {
      settled += count;
    },
    read: () => {
      const seconds = Math.max((performance.now() - since) / 1_000, 0.001);
      const reading = { tookAny, settled, settledPerSecond: settled / seconds };
      tookAny = false;
      settled = 0;
      since = performance.now();
      return reading;
    },
  };
}
