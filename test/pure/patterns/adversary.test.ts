import { findWorst } from './adversary.ts';

const LIMIT_MS = 2;
const LONGEST = 100_000;

describe('the search for what makes a pattern slow', () => {
  it.each([
    ['exponential time', /^(a+)+$/],
    ['exponential time on what is between others', /^x=(?:[ab]|a)*-$/],
    ['quadratic time', /\s+$/],
  ])('finds %s, and ends', (_name, pattern) => {
    const { milliseconds, text, characters } = findWorst(pattern, LONGEST, LIMIT_MS);
    expect(milliseconds).toBeGreaterThan(LIMIT_MS);
    expect(text).toContain('…');
    expect(characters).toBeLessThanOrEqual(LONGEST);
  });

  it('finds nothing in one that reads each character once', () => {
    const { milliseconds, text } = findWorst(/^[A-Z]{1,8}$/, LONGEST, LIMIT_MS);
    expect(milliseconds).toBeLessThan(LIMIT_MS);
    expect(text).toContain('…');
  });
});
