import { z } from 'zod';

/** What a text may hold (D31). */
export interface TextRule {
  /** Before and after NFKC normalization (D7). Left out: only the body's own limit counts. */
  readonly charactersMax?: number;
  /** Several lines may hold tabs and line breaks. */
  readonly lines?: 'one' | 'several';
  /** At least one character can be seen, unless the text is empty and so absent (D7). */
  readonly isVisible?: boolean;
}

const OTHER_THAN_PRINTABLE = /[^ -~]/;
/** Embeddings, overrides and isolates change how their neighbours read; the three marks only settle their own place. */
const DIRECTING = /[\p{Bidi_Control}--[\u061C\u200E\u200F]]/v;
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const NOT_IN_LINES = /[\p{Cc}--[\t\n\r]]/v;
/** U+2800 is a symbol without a dot. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Why a text of the permitted length is refused all the same; undefined when it is not. Never repeats the text. */
export function flawOfCharacters(text: string, rule: TextRule = {}): string | undefined {
  if (isPlain(text)) return undefined;
  const { charactersMax = Number.POSITIVE_INFINITY, lines = 'one', isVisible = false } = rule;
  const [found] = (lines === 'one' ? NOT_IN_A_LINE : NOT_IN_LINES).exec(text) ?? [];
  const [refused = found] = DIRECTING.exec(text) ?? [];
  if (refused !== undefined) return `The character ${nameOf(refused)} is not accepted here.`;
  const normal = text.normalize('NFKC').trim();
  if (text.length <= charactersMax && normal.length > charactersMax) return tooLong(charactersMax);
  return isVisible && normal !== '' && !VISIBLE.test(normal)
    ? 'At least one visible character is needed.'
    : undefined;
}

/** Printable ASCII with something at both ends, which is its own normal form: nearly all that comes. */
export function isPlain(text: string): boolean {
  return text !== '' && !OTHER_THAN_PRINTABLE.test(text) && text === text.trim();
}

function tooLong(charactersMax: number): string {
  return `At most ${charactersMax} characters, also after Unicode normalization (NFKC).`;
}

function nameOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text that is compared and not kept, whatever its characters. */
export function comparedText(charactersMax: number) {
  return z
    .string()
    .max(charactersMax)
    .refine(
      (value) => value.length > charactersMax || value.normalize('NFKC').length <= charactersMax,
      tooLong(charactersMax),
    );
}

/** A text that is kept as it was sent. */
export function text(charactersMax?: number, rule: Omit<TextRule, 'charactersMax'> = {}) {
  const whole = charactersMax === undefined ? rule : { ...rule, charactersMax };
  const limited = charactersMax === undefined ? z.string() : z.string().max(charactersMax);
  return limited.refine((value) => flawOfCharacters(value, whole) === undefined, {
    error: ({ input }) => flawOfCharacters(String(input), whole) ?? 'This text is not accepted.',
  });
}

/** A text of the staff realm that must be there: it is kept in its normal form (D7). */
export function staffText(charactersMax: number, lines: TextRule['lines'] = 'one') {
  return text(charactersMax, { lines, isVisible: true }).normalize('NFKC').trim().min(1);
}
