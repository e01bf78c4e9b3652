/** A cell that a spreadsheet program would run as a formula begins with one of these, or with a control character. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Excel reads UTF-8 only with this mark. */
export const CSV_START = '\uFEFF';

/** One line of a CSV file (RFC 4180). */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * A cell. A text that a spreadsheet program would take for a formula gets an apostrophe before it, because texts come from senders
 * whom nobody knows. Lists are joined by spaces, objects are JSON, and null is empty.
 */
function csvCell(value: unknown): string {
  const text = textOf(value);
  const safe = FORMULA.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return JSON.stringify(value);
}

/** The value at a path such as `target.id`; undefined where a member is missing or null. */
export function valueAt(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], item);
}
