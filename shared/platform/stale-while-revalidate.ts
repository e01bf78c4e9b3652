/** Of the time, at most. */
const LOOKING_SHARE = 0.05;
/** What was seen longer ago is nobody's guide any more, milliseconds. */
const SEEN_MS_MAX = 10_000;

/**
 * One look for all who ask within `everyMs` milliseconds of its beginning. Where looking takes long the next one comes
 * later, up to ten seconds, so that little of the time goes into it. Who asks while the next one lasts is told what was
 * seen before, until `toleratedMs` after that one was due, and waits for it from then on. A look that fails, fails for all
 * who wait for it; one that doesn't end keeps nobody but those who came within `everyMs`.
 */
export function shareLooks<Seen>(
  look: () => Promise<Seen>,
  everyMs: number,
  toleratedMs = 0,
): () => Promise<Seen> {
  let latest: Promise<Seen> | undefined;
  let nextAt = 0;
  let before: { readonly seen: Seen; readonly until: number } | undefined;

  const begin = (began: number): Promise<Seen> => {
    nextAt = began + everyMs;
    const one = look().then((seen) => {
      if (latest !== one) return seen;
      const tookMs = performance.now() - began;
      nextAt = began + clamp(tookMs / LOOKING_SHARE, everyMs, SEEN_MS_MAX);
      before = { seen, until: nextAt + toleratedMs };
      return seen;
    });
    // It may be that nobody waits for it.
    one.catch(() => undefined);
    return one;
  };
  return async () => {
    const now = performance.now();
    if (latest === undefined || now >= nextAt) latest = begin(now);
    return before !== undefined && now < before.until ? before.seen : latest;
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min);
}
