// The rows of a small file, and the ways in which spreadsheets save them.

export const HEADINGS = [
  'issuingInsurerCode',
  'policy.policyNumber',
  'policy.premiumAmount',
  'certificate.cocNumber',
  'certificate.effectiveDate',
  'operator.name',
  'vehicle.mvFileNumber',
];
export const ROWS = [
  ['INS-ALPHA', 'P-1', '1250.50', 'C-1', '2026-11-27', 'Peña, Ñ', '130100000001099'],
  ['INS-ALPHA', 'P-2', '1250.50', 'C-2', '2026-11-28', 'Santos “€”', '130100000001100'],
];
export const NAMES = ROWS.map(([, , , , , name]) => name);

export const quote = (cell: string) => (/[",;\t]/.test(cell) ? `"${cell}"` : cell);
export const textOf = (rows: readonly (readonly string[])[], delimiter = ',') =>
  [HEADINGS, ...rows].map((row) => `${row.map(quote).join(delimiter)}\r\n`).join('');
/** The rows with another text in one cell of the second row. */
export const withCell = (column: string, text: string) =>
  ROWS.map((row, index) =>
    row.map((cell, at) => (index === 1 && HEADINGS[at] === column ? text : cell)),
  );

export function windows1252(text: string): Buffer {
  const beyondLatin1 = new Map([
    ['“', 0x93],
    ['”', 0x94],
    ['€', 0x80],
  ]);
  return Buffer.from(
    Array.from(text, (character) => beyondLatin1.get(character) ?? character.charCodeAt(0)),
  );
}

export const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
export const utf16be = (text: string) => utf16le(text).swap16();

/** So many certificates in a CSV file. */
export function manyRows(count: number): string {
  const rows = Array.from({ length: count }, (_, index) =>
    (ROWS[0] ?? [])
      .map((cell, at) => (HEADINGS[at] === 'certificate.cocNumber' ? `C-${index}` : quote(cell)))
      .join(','),
  );
  return `${HEADINGS.join(',')}\n${rows.join('\n')}\n`;
}
