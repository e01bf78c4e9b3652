import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Of 0 to 4: more than 10^8 guesses, which a slow hash makes dear. */
const SCORE_MIN = 3;
/** After NFKC, which is the form that is hashed. */
const LENGTH_MIN = 12;
/** Letters and digits that are neither the user's address nor a name of the service. */
const OWN_CHARACTERS_MIN = 8;
/** The beginning must be strong by itself: the time of a check grows with the square of the length, and it holds up everybody else. */
const CHECKED_LENGTH_MAX = 32;
const SUBSTITUTIONS_MAX = 20;

/**
 * Why a password is too weak, in words for its user; undefined when it is not. It is held against lists of common passwords, words and
 * names, patterns of keyboards, dates, sequences and repetitions, and `words`, in lower case, which an attacker of this user would try.
 */
export async function findPasswordFlaw(
  password: string,
  words: readonly string[],
): Promise<string | undefined> {
  const hashed = password.normalize('NFKC');
  if (Array.from(hashed).length < LENGTH_MIN) return `Choose at least ${LENGTH_MIN} characters.`;
  if (countOwnCharacters(hashed, words) < OWN_CHARACTERS_MIN) {
    return 'Do not make the password of your address or the names of the service: anybody would try them. Several words that have nothing to do with each other are strong.';
  }
  checker ??= makeChecker();
  const strength = await checker;
  const { score, feedback } = strength.check(hashed.slice(0, CHECKED_LENGTH_MAX), [...words]);
  if (score >= SCORE_MIN) return undefined;
  const reason = feedback.warning ?? 'It is easy to guess.';
  return `Choose a password that is harder to guess. ${reason} Several words that have nothing to do with each other are strong.`;
}

function countOwnCharacters(password: string, words: readonly string[]): number {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce(
    (text, word) => (word === '' ? text : text.replaceAll(word, ' ')),
    password.toLowerCase(),
  );
  return rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Read when the first password is checked: the lists are some megabytes, and most processes never need them. */
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
