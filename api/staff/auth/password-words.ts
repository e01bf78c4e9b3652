/** Names that anybody would try at this service, by what it does and who works with it. */
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
/** A shorter part of a name is in too many words by chance. */
const PART_LENGTH_MIN = 4;

/** What a password of this user must not be made of: the own address, the service, the regulator; each whole and in parts. */
export function wordsOf(email: string, regulatorNames: readonly string[]): string[] {
  const names = [email, ...email.split('@'), ...regulatorNames];
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u));
  const words = [...names, ...parts.filter((part) => part.length >= PART_LENGTH_MIN)];
  return [...new Set([...words, ...SERVICE_WORDS].map((word) => word.toLowerCase()))];
}
