/**
 * How long a test waits for an expected event, even on a machine with a tenth of its usual speed. It is below Jest's own limit
 * (jest.config.js), so that the test can report what it was waiting for.
 */
export const TIMEOUT_MS = 100_000;

/** Polls until `isExpected` returns true or TIMEOUT_MS have passed. Returns the last value read. */
export async function untilSeen<Seen>(
  read: () => Promise<Seen>,
  isExpected: (seen: Seen) => boolean,
  everyMs = 20,
): Promise<Seen> {
  const endsAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await read();
    if (isExpected(seen) || Date.now() >= endsAt) return seen;
    await new Promise((done) => setTimeout(done, everyMs));
  }
}
