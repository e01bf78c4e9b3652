import { stripVTControlCharacters } from 'node:util';

const CHARACTERS_MAX = 1_000;
const FOREIGN_FRAME = /^\s+at .*(?:node_modules|node:internal).*$/gm;

/** The name of a failure and its reasons on one line that starts with FAILED. `.ci/run` shows these lines if a log is truncated. */
export function failedLine(name, ...reasons) {
  const own = stripVTControlCharacters(reasons.join('; ')).replaceAll(FOREIGN_FRAME, '');
  const text = `${name}: ${own}`.replaceAll(/\s+/g, ' ');
  return `FAILED ${text.slice(0, CHARACTERS_MAX)}\n`;
}
