import { findPasswordProblem } from '../../../../shared/platform/secrets/password-strength.ts';

const WORDS = ['maria.santos@regulator.example', 'maria.santos', 'maria', 'santos', 'registry'];

describe('a password', () => {
  it.each([
    'correct horse battery staple',
    'another long enough password',
    'k2J-9dFq_1xZpLw0vB3T',
    'Maria plays the trombone badly',
    'ばなな でんしゃ つくえ りんご かがみ',
  ])('such as %j is strong', async (password) => {
    expect(await findPasswordProblem(password, WORDS)).toBeUndefined();
  });

  it.each([
    'aaaaaaaaaaaa',
    ' '.repeat(12),
    '123456789012',
    'abcdefghijkl',
    'qwertyuiop123',
    'passwordpassword',
    'P4$$w0rdP4$$w0rd',
    'iloveyou1234',
    'aaaaaaaaaaaa'.repeat(10),
    'maria.santos@regulator.example',
    'MARIA.SANTOS-2026',
    'registry registry 1',
  ])('such as %j is weak', async (password) => {
    expect(await findPasswordProblem(password, WORDS)).toMatch(/\S/);
  });

  it('is checked in the form that is hashed', async () => {
    // NFKC turns it into six letters.
    expect(await findPasswordProblem('e\u0301'.repeat(6), [])).toMatch(/12 characters/);
  });

  it('is checked by its first 32 characters, so that the time of a check is bounded', async () => {
    const strong = 'correct horse battery staple';
    expect(await findPasswordProblem('a'.repeat(32) + strong, WORDS)).toMatch(/\S/);
    expect(await findPasswordProblem(strong.padEnd(128, 'a'), WORDS)).toBeUndefined();
  });
});
