/** The exact value of a JSON number: ± digits × 10^exponent. The digits have no zeros at either end; zero has no digits. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const ZERO: Decimal = { isNegative: false, digits: '', exponent: 0 };
/** A longer number is refused, so that reading stays cheap. No amount needs more characters. */
export const NUMBER_CHARACTERS_MAX = 1_000;

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Parses the text of a JSON number, or the text that `String` makes of a number. Throws on any other text. */
export function decimalOf(text: string): Decimal {
  const [, sign, whole, fraction = '', power = '0'] = PARTS.exec(text) ?? [];
  if (whole === undefined) throw new Error('not a decimal number');
  const written = whole + fraction;
  const digits = withoutOuterZeros(written);
  if (digits.text === '') return ZERO;
  return {
    isNegative: sign === '-',
    digits: digits.text,
    exponent: Number(power) - fraction.length + digits.dropped,
  };
}

/**
 * False when reading the number as a double changes its value, and for a number that is too long to check. `0.1` keeps its
 * value; `0.10000000000000000001` does not.
 */
export function survivesReading(text: string): boolean {
  if (text.length > NUMBER_CHARACTERS_MAX) return false;
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const [sent, read] = [decimalOf(text), decimalOf(String(number))];
  return (
    sent.isNegative === read.isNegative &&
    sent.digits === read.digits &&
    sent.exponent === read.exponent
  );
}

/** The text without leading and trailing zeros, and the number of trailing zeros dropped. Takes linear time for any text. */
function withoutOuterZeros(text: string): { readonly text: string; readonly dropped: number } {
  let start = 0;
  while (text[start] === '0') start += 1;
  let end = text.length;
  while (end > start && text[end - 1] === '0') end -= 1;
  return { text: text.slice(start, end), dropped: text.length - end };
}
