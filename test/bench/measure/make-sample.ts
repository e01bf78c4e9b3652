import type { Sample } from './sample.ts';

/** A sample of one item that cost nothing, but for `changes`: for tests, and for what is read of kept results. */
export function makeSample(changes: Partial<Sample> = {}): Sample {
  return {
    items: 1,
    perSecond: 1,
    figures: {},
    cpuPerItem: {},
    memory: {},
    statementsPerItem: 0,
    commitsPerItem: 0,
    walBytesPerItem: 0,
    statements: [],
    faults: [],
    ...changes,
  };
}
