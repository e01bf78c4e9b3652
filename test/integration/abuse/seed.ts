/** Given by ABUSE_SEED, to look for what is new or to play a failure again. */
const DEFAULT = 5;

/** The same in every run of the suite, and named when a test fails. */
export function seedOf(what: string): number {
  const seed = Number(process.env['ABUSE_SEED'] ?? DEFAULT);
  if (!Number.isInteger(seed)) throw new Error('ABUSE_SEED is not a whole number');
  process.stdout.write(`${what}: ABUSE_SEED=${seed}\n`);
  return seed;
}
