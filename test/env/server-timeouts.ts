/**
 * How long a test waits for what must come, ms: what hasn't come by then never comes, even on a machine that gives a tenth
 * of itself. Below the time that a test has (jest.config.js), so that it can say what it waited for.
 */
export const TIMEOUT_MS = 100_000;

/** What the last look brought: what is waited for, or what was there when the patience ended. */
export async function untilSeen<Seen>(
  look: () => Promise<Seen>,
  isIt: (seen: Seen) => boolean,
  everyMs = 20,
): Promise<Seen> {
  const endsAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (isIt(seen) || Date.now() >= endsAt) return seen;
    await new Promise((done) => setTimeout(done, everyMs));
  }
}
