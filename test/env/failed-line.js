import { stripVTControlCharacters } from 'node:util';

const CHARACTERS_MAX = 1_000;
const FOREIGN_FRAME = /^\s+at .*(?:node_modules|node:internal).*$/gm;

/** What failed and why, on one line that begins with FAILED: `.ci/run` shows these where a log is cut short. */
export function failedLine(what, ...reasons) {
  const own = stripVTControlCharacters(reasons.join('; ')).replaceAll(FOREIGN_FRAME, '');
  const text = `${what}: ${own}`.replaceAll(/\s+/g, ' ');
  return `FAILED ${text.slice(0, CHARACTERS_MAX)}\n`;
}
