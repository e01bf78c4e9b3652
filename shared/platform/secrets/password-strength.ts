import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** On the scale from 0 to 4. 3 means more than 10^8 guesses, which a slow hash makes expensive. */
const SCORE_MIN = 3;
/** Characters after NFKC, the form that is hashed. */
const LENGTH_MIN = 12;
/** Letters and digits that are not part of the user's address or a name of the service. */
const OWN_CHARACTERS_MIN = 8;
/** Only the beginning is checked: the time grows with the square of the length, and the check blocks the event loop. */
const CHECKED_LENGTH_MAX = 32;
const SUBSTITUTIONS_MAX = 20;

/**
 * The reason why a password is too weak, worded for its user; undefined when it is strong enough. It is compared with common passwords,
 * words and names, keyboard patterns, dates, sequences, repetitions, and `words` (lower case), which an attacker of this user would try.
 */
export async function findPasswordProblem(
  password: string,
  words: readonly string[],
): Promise<string | undefined> {
  const hashed = password.normalize('NFKC');
  if (Array.from(hashed).length < LENGTH_MIN) return `Choose at least ${LENGTH_MIN} characters.`;
  if (countOwnCharacters(hashed, words) < OWN_CHARACTERS_MIN) {
    return 'Do not build the password from your address or the names of the service: an attacker would try them. Several unrelated words are strong.';
  }
  checker ??= makeChecker();
  const strength = await checker;
  const { score, feedback } = strength.check(hashed.slice(0, CHECKED_LENGTH_MAX), [...words]);
  if (score >= SCORE_MIN) return undefined;
  const reason = feedback.warning ?? 'It is easy to guess.';
  return `Choose a password that is harder to guess. ${reason} Several unrelated words are strong.`;
}

function countOwnCharacters(password: string, words: readonly string[]): number {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce(
    (text, word) => (word === '' ? text : text.replaceAll(word, ' ')),
    password.toLowerCase(),
  );
  return rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Loaded when the first password is checked: the lists take some megabytes, and most processes never need them. */
let checker: Promise<ZxcvbnFactory> | undefined;

async function makeChecker(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new Factory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: CHECKED_LENGTH_MAX,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
  });
}
