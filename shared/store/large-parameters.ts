// The database client writes all parameters of a statement as one JSON text and reads that again before it sends
// them: it looks at every element of an array, and escapes every quote of a text.

/** An array as one text, of values that need no quotes in it: numbers, UUIDs, dates. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

/** A text as bytes, for `convert_from(…, 'UTF8')`. */
export function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
