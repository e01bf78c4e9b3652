/** Values that differ from run to run, and the word that replaces each of them. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  // The byte order mark of a file for spreadsheets. A terminal does not show it.
  [/\uFEFF/g, ''],
  [/\bPPAI-TX-\d{4}-\d{9,}\b/g, '<transmission>'],
  [/\bPPAI-\d{4}-\d{9,}\b/g, '<record>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b1[78]\d{8}\b/g, '<seconds>'],
  [/\b([0-9a-f]{64}|[0-9a-f]{32})\b/g, '<digits>'],
];

/** Stands for lines of any number, or for a part of a line. */
const LEFT_OUT = '…';

/** What differs between the output that a document shows and the one that was printed; undefined if nothing does. */
export function findDifference(shown: string, printed: string): string | undefined {
  const pattern = patternOf(mask(shown).trimEnd());
  const actual = `${mask(printed).trimEnd()}\n`;
  if (pattern.test(actual)) return undefined;
  return `The document shows:\n${shown}\nIt printed:\n${printed}`;
}

function patternOf(shown: string): RegExp {
  const lines = shown.split('\n').map((line) => {
    if (line === LEFT_OUT) return '(?:.*\\n)*?';
    const parts = line.split(LEFT_OUT).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return `${parts.join('.*')}\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}

function mask(text: string): string {
  return MASKS.reduce((masked, [value, word]) => masked.replace(value, word), text);
}
