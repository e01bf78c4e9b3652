/** Of the time, at most. */
const LOOKING_SHARE = 0.05;
/** What was seen longer ago is nobody's guide any more, milliseconds. */
const SEEN_MS_MAX = 10_000;

/**
 * One look for all who ask within `everyMs` milliseconds of its beginning. Where looking takes long the next one comes
 * later, up to ten seconds, so that little of the time goes into it. A look that fails, fails for all who share it; one
 * that doesn't end keeps nobody but those who came within `everyMs`.
 */
export function shareLooks<Seen>(look: () => Promise<Seen>, everyMs: number): () => Promise<Seen> {
  let latest: Promise<Seen> | undefined;
  let nextAt = 0;
  return () => {
    const began = performance.now();
    if (latest !== undefined && began < nextAt) return latest;
    nextAt = began + everyMs;
    const one = look().then((seen) => {
      const tookMs = performance.now() - began;
      if (latest === one) nextAt = began + clamp(tookMs / LOOKING_SHARE, everyMs, SEEN_MS_MAX);
      return seen;
    });
    latest = one;
    return one;
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min);
}
