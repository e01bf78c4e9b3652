import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_TABLES, writeErrorsMarkdown } from '../../../shared/contract/error-docs.ts';
import { ERROR_CODES } from '../../../shared/contract/errors.ts';
import { FINDING_CODES } from '../../../shared/contract/findings.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

const ROWS = CODE_TABLES.flatMap(({ title, headings, rows }) =>
  rows.map((cells) => ({ title, headings, cells })),
);

describe('docs/errors.md', () => {
  it('equals the tables of codes; run "npm run docs" when this fails', () => {
    const document = readFileSync(join(findProjectRoot(), 'docs/errors.md'), 'utf8');
    expect(document).toBe(writeErrorsMarkdown());
  });

  it('lists every error code and every detail code', () => {
    expect(ROWS.map(({ cells: [code] }) => code)).toEqual([
      ...ERROR_CODES,
      ...Object.keys(FINDING_CODES),
    ]);
  });

  it.each(ROWS)('explains $cells.0 in sentences ($title)', ({ headings, cells }) => {
    const explained = cells.slice(headings.indexOf('Cause'));
    expect(explained).toHaveLength(2);
    for (const text of explained) expect(text).toMatch(/^[A-Z`][^\n|<>]*[^.\s]\.$/);
  });
});
