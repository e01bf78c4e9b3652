// What keeps a worker at about half the memory that V8 and glibc would let it have on a large machine, for more of its
// CPU (docs/benchmark.md). Several times what the largest certificates in hand take is left. The heap grows by three quarters
// each time: the less room it gets, the more often V8 looks through all of it, and that is most of what collecting costs (`--trace-gc-nvp`).
// A small young generation makes up for the memory.

/** Options of its `node`. */
export const WORKER_NODE_OPTIONS: readonly string[] = [
  '--max-old-space-size=512',
  '--heap-growing-percent=75',
  '--max-semi-space-size=8',
];

/** Variables that its allocator reads at the start; others than glibc's ignore them. */
export const WORKER_ALLOCATOR: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
