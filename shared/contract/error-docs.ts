import { ERRORS } from './errors.ts';
import { FINDING_CODES } from './findings.ts';

/** One table of the error documents. A cell is plain text with `code` between backquotes. */
export interface CodeTable {
  /** The anchor that links use. */
  readonly id: string;
  readonly title: string;
  readonly introduction: string;
  readonly headings: readonly string[];
  /** The first cell of a row is the code. */
  readonly rows: readonly (readonly string[])[];
}

/** Every code that a caller may receive, in the order of the source tables. */
export const CODE_TABLES: readonly CodeTable[] = [
  {
    id: 'errors',
    title: 'Error codes',
    introduction: 'Every answer that is not 2xx has one of these codes in `error.code`.',
    headings: ['Code', 'HTTP', 'Cause', 'Remedy'],
    rows: Object.entries(ERRORS).map(([code, { http, cause, remedy }]) => [
      code,
      String(http),
      cause,
      remedy,
    ]),
  },
  {
    id: 'details',
    title: 'Detail codes',
    introduction:
      'These are the findings in `error.details` and in the `errors` and `warnings` of an acknowledgment. Errors of levels 1 to 3 (required, format, authority) reject a transmission; level 4 (reference data) never does. Read `level` and `severity` from the finding itself: an amendment gets only a WARNING for a value that the record may keep, and codes may be added.',
    headings: ['Code', 'Level', 'Severity', 'Cause', 'Remedy'],
    rows: Object.entries(FINDING_CODES).map(([code, { level, severity, cause, remedy }]) => [
      code,
      String(level),
      severity,
      cause,
      remedy,
    ]),
  },
];

/** The text of docs/errors.md. */
export function writeErrorsMarkdown(): string {
  const tables = CODE_TABLES.map(({ title, introduction, headings, rows }) => {
    const lines = [
      headings,
      headings.map(() => '---'),
      ...rows.map(([code = '', ...cells]) => [`\`${code}\``, ...cells]),
    ].map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    return `## ${title}\n\n${introduction}\n\n${lines.join('\n')}\n`;
  });
  return `# Errors and findings\n\n<!-- Written by \`npm run docs\` from shared/contract/errors.ts and findings.ts. -->\n\n${tables.join('\n')}`;
}
