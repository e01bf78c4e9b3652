import { ERRORS } from './errors.ts';
import { FINDING_CODES } from './findings.ts';

/** One table of the documents about codes. Cells are plain text with `code` between backquotes. */
export interface CodeTable {
  /** Names it in links. */
  readonly id: string;
  readonly title: string;
  readonly introduction: string;
  readonly headings: readonly string[];
  /** The first cell is the code alone. */
  readonly rows: readonly (readonly string[])[];
}

/** Every code a caller may meet, in the order of the tables that they are written from. */
export const CODE_TABLES: readonly CodeTable[] = [
  {
    id: 'errors',
    title: 'Error codes',
    introduction: 'Every answer that is not 2xx has one of these in `error.code`.',
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
      'These are the findings in `error.details` and in the `errors` and `warnings` of an acknowledgment. Errors of levels 1 to 3 (required, format, authority) reject a transmission; level 4 (reference data) never does. Read `level` and `severity` from the finding itself: what an existing record may keep is only a WARNING when it is amended, and codes may be added.',
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

/** docs/errors.md. */
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
