import { findWorst } from './adversary.ts';

const LIMIT_MS = 2;
const LONGEST = 100_000;

describe('the search for slow inputs of a pattern', () => {
  it.each([
    ['exponential time', /^(a+)+$/],
    ['exponential time in the middle of a text', /^x=(?:[ab]|a)*-$/],
    ['quadratic time', /\s+$/],
  ])('finds %s and terminates', (_name, pattern) => {
    const { milliseconds, text, characters } = findWorst(pattern, LONGEST, LIMIT_MS);
    expect(milliseconds).toBeGreaterThan(LIMIT_MS);
    expect(text).toContain('…');
    expect(characters).toBeLessThanOrEqual(LONGEST);
  });

  it.each([
    ['reads each character once', /^[A-Z]{1,8}$/],
    ['has an empty match', /$/g],
  ])('finds nothing for a pattern that %s', (_name, pattern) => {
    const { milliseconds, text } = findWorst(pattern, LONGEST, LIMIT_MS);
    expect(milliseconds).toBeLessThan(LIMIT_MS);
    expect(text).toContain('…');
  });
});
