/** Of the time, at most. */
const LOOKING_SHARE = 0.05;

/**
 * One look for all who ask within `everyMs` milliseconds of its beginning. Where looking takes long the next one comes
 * later, so that a twentieth of the time goes into it at most. A look that fails, fails for all who share it.
 */
export function shareLooks<Seen>(look: () => Promise<Seen>, everyMs: number): () => Promise<Seen> {
  let latest: Promise<Seen> | undefined;
  let nextAt = 0;
  return () => {
    const began = performance.now();
    if (latest !== undefined && began < nextAt) return latest;
    nextAt = Number.POSITIVE_INFINITY;
    latest = look().finally(() => {
      nextAt = began + Math.max(everyMs, (performance.now() - began) / LOOKING_SHARE);
    });
    return latest;
  };
}
