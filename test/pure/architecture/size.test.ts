import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { listProjectFiles } from '../../env/project-files.ts';
import { sqlStatementLines } from './sql-statements.ts';

const FILE_LINES_MAX = 300;
const FOLDER_FILES_MAX = 15;
const SQL_LINES_MAX = 40;

const ROOT = findProjectRoot();
const files = listProjectFiles(ROOT);
const sources = files
  .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
const inProduct = sources.filter(({ file }) =>
  /^(api|worker|shared|client|console|ops)\//.test(file),
);

describe('the source', () => {
  it('is found', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(inProduct.length).toBeGreaterThan(200);
  });

  it(`has no file of more than ${FILE_LINES_MAX} lines`, () => {
    const sizes = sources.map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }));
    expect(sizes.filter(({ lines }) => lines > FILE_LINES_MAX)).toEqual([]);
  });

  it(`has no folder of more than ${FOLDER_FILES_MAX} files`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
  });

  it(`has no SQL statement of more than ${SQL_LINES_MAX} lines`, () => {
    const mayHaveSql = sources.filter(({ file }) => !file.startsWith('console/'));
    const statements = mayHaveSql.flatMap(({ file, text }) =>
      sqlStatementLines(text).map((lines) => ({ file, lines })),
    );
    expect(statements.length).toBeGreaterThan(100);
    expect(statements.filter(({ lines }) => lines > SQL_LINES_MAX)).toEqual([]);
  });

  it('uses no internals of a library', () => {
    // Written so that this file does not match.
    const internals = /_{2}internal|\b_[z]od\b/;
    expect(sources.filter(({ text }) => internals.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('keeps no WeakMap in the product', () => {
    const wrong = inProduct.filter(({ text }) => /\bWeakMap\b/.test(text));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
});

describe('the lines of an SQL statement', () => {
  it.each<[string, number[]]>([
    ['db.$queryRaw<Row[]>`SELECT 1\nFROM a`', [2]],
    ['const part = Prisma.sql`a\nb\nc`', [3]],
    [`tx.$executeRaw\`UPDATE a\nSET \${Prisma.sql\`b\n= 1\`}\``, [3, 2]],
    [`db.$queryRawUnsafe(\`SELECT \${column}\nFROM a\`, value)`, [2]],
    ['const text = `not\nSQL`', []],
  ])('of %j are %j', (text, lines) => {
    expect(sqlStatementLines(text)).toEqual(lines);
  });
});
