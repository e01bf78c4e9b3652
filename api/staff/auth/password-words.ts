/** Words that a guesser would try at this service. */
const SERVICE_WORDS = [
  'transmission registry',
  'transmission',
  'registry',
  'ppai',
  'passenger',
  'personal',
  'accident',
  'insurance',
  'insurer',
  'coverage',
  'vehicle',
  'regulator',
  'transport',
  'administrator',
  'reviewer',
  'auditor',
  'password',
];
/** Shorter parts of a name occur in too many words by chance. */
const PART_LENGTH_MIN = 4;

/** Words that a password of this user must not consist of: from the user's address, the service and the regulator's names. */
export function wordsOf(email: string, regulatorNames: readonly string[]): string[] {
  const names = [email, ...email.split('@'), ...regulatorNames];
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u));
  const words = [...names, ...parts.filter((part) => part.length >= PART_LENGTH_MIN)];
  return [...new Set([...words, ...SERVICE_WORDS].map((word) => word.toLowerCase()))];
}
