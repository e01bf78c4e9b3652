import { z } from 'zod';

/** The characters that a text may contain (D31). */
export interface TextRule {
  /** Applies before and after NFKC normalization (D7). Without it only the size limit of the body applies. */
  readonly charactersMax?: number;
  /** A text of several lines may contain tabs and line breaks. */
  readonly lines?: 'one' | 'several';
  /** Requires at least one visible character. An empty text passes, because it counts as absent (D7). */
  readonly isVisible?: boolean;
}

const OTHER_THAN_PRINTABLE = /[^ -~]/;
/** Embeddings, overrides and isolates change the order of the text around them. The three excluded marks do not. */
const DIRECTING = /[\p{Bidi_Control}--[\u061C\u200E\u200F]]/v;
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const NOT_IN_LINES = /[\p{Cc}--[\t\n\r]]/v;
/** U+2800 is a Braille symbol without dots, so it is invisible. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** The reason to refuse a text of permitted length; undefined when there is none. The reason never repeats the text. */
export function findTextFlaw(text: string, rule: TextRule = {}): string | undefined {
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

/** True for non-empty printable ASCII without outer spaces. Such a text is its own normal form; nearly all texts are such. */
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

/** A text that is only compared, never stored. It may contain any character. */
export function comparedText(charactersMax: number) {
  return z
    .string()
    .max(charactersMax)
    .refine(
      (value) => value.length > charactersMax || value.normalize('NFKC').length <= charactersMax,
      tooLong(charactersMax),
    );
}

/** A text that is stored as it was sent. */
export function text(charactersMax?: number, rule: Omit<TextRule, 'charactersMax'> = {}) {
  const whole = charactersMax === undefined ? rule : { ...rule, charactersMax };
  const limited = charactersMax === undefined ? z.string() : z.string().max(charactersMax);
  return limited.refine((value) => findTextFlaw(value, whole) === undefined, {
    error: ({ input }) => findTextFlaw(String(input), whole) ?? 'This text is not accepted.',
  });
}

/** A required text of the staff realm. It is stored in normal form (D7). */
export function staffText(charactersMax: number, lines: TextRule['lines'] = 'one') {
  return text(charactersMax, { lines, isVisible: true }).normalize('NFKC').trim().min(1);
}
