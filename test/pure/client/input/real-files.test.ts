import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledge } from '../fake-registry.ts';
import { useCli } from '../run-cli.ts';
import {
  HEADINGS,
  manyRows,
  NAMES,
  quote,
  ROWS,
  textOf,
  utf16le,
  windows1252,
  withCell,
} from './sample-rows.ts';
import { makeWorkbook, type WorkbookCell } from './workbook.ts';

// Files as people have them are either registered, or refused before anything is sent with line, column and remedy (D42).

const cli = useCli();

/** Sends the file and returns what the registry received. */
async function send(name: string, content: string | Buffer, ...options: string[]) {
  const file = join(cli.folder, name);
  writeFileSync(file, content);
  const { exitCode, messages } = await cli.run(['batch', 'send', file, ...options], {
    answer: () => acknowledge(201),
  });
  const received = (cli.registry?.received ?? []).map(({ body }) => JSON.parse(body.toString()));
  return { exitCode, messages, received };
}

/** The rows in a sheet. The columns named are stored as numbers and days, as Excel does by itself. */
function workbookOf(...numbers: readonly string[]): Buffer {
  const cellOf = (text: string, heading: string): WorkbookCell => {
    if (!numbers.includes(heading)) return text;
    return heading === 'certificate.effectiveDate'
      ? { day: Date.parse(text) / 86_400_000 + 25_569 }
      : { number: text };
  };
  const rows = ROWS.map((row) => row.map((text, at) => cellOf(text, HEADINGS[at] ?? '')));
  return makeWorkbook([HEADINGS, ...rows]);
}

const EMPTY_ROWS = textOf(ROWS).replaceAll('\r\n', '\r\n\r\n,,,,,,,,\r\n');
const REORDERED = [HEADINGS, ...ROWS]
  .map((row) => row.toReversed().map(quote).join(','))
  .join('\r\n');
const AMOUNT_AND_DAY = ['policy.premiumAmount', 'certificate.effectiveDate'];

it.each<[string, string, string | Buffer, string[]]>([
  ['Excel, CSV UTF-8', 'a.csv', `\uFEFF${textOf(ROWS)}`, []],
  ['UTF-8 without a mark', 'a.csv', textOf(ROWS), []],
  ['Excel, CSV', 'a.csv', windows1252(textOf(ROWS)), ['--encoding', 'windows-1252']],
  ['Excel, Unicode Text', 'a.txt', utf16le(textOf(ROWS, '\t')), ['--encoding', 'utf-16']],
  ['semicolons', 'a.csv', textOf(ROWS, ';'), []],
  ['tabs', 'a.tsv', textOf(ROWS, '\t'), []],
  ['a workbook of texts', 'a.xlsx', workbookOf(), []],
  [
    'a workbook with amounts as numbers and days as dates',
    'a.xlsx',
    workbookOf(...AMOUNT_AND_DAY),
    [],
  ],
  ['empty rows', 'a.csv', EMPTY_ROWS, []],
  ['columns in another order', 'a.csv', REORDERED, []],
])('is registered: %s', async (_case, name, content, options) => {
  const { exitCode, received } = await send(name, content, ...options);
  expect(exitCode).toBe(0);
  expect(received).toHaveLength(NAMES.length);
  expect(new Set(received.map(({ operator }) => operator.name))).toEqual(new Set(NAMES));
  expect(received.find(({ policy }) => policy.policyNumber === 'P-1')).toMatchObject({
    policy: { premiumAmount: 1250.5 },
    certificate: { cocNumber: 'C-1', effectiveDate: '2026-11-27' },
    vehicles: [{ mvFileNumber: '130100000001099' }],
  });
});

const dated = (text: string) => textOf(withCell('certificate.effectiveDate', text));
const wrongAtEnd = () => manyRows(100_000).replace('C-99999,2026-11-27', 'C-99999,11/27/2026');

it.each<[string, string, () => string | Buffer, RegExp]>([
  [
    'Excel, CSV, without its encoding',
    'a.csv',
    () => windows1252(textOf(ROWS)),
    /Line 2, column 41 .*--encoding windows-1252/,
  ],
  [
    'Excel, Unicode Text, without its encoding',
    'a.txt',
    () => utf16le(textOf(ROWS, '\t')),
    /Line 1, column \d.*--encoding utf-16/,
  ],
  ['a date with slashes', 'a.csv', () => dated('11/27/2026'), /Line 3, column 5 .*YYYY-MM-DD/],
  ['a date with dots', 'a.csv', () => dated('27.11.2026'), /Line 3, column 5 .*YYYY-MM-DD/],
  ['a date with a month', 'a.csv', () => dated('27-Nov-26'), /Line 3, column 5 .*YYYY-MM-DD/],
  [
    'a long number',
    'a.csv',
    () => textOf(withCell('vehicle.mvFileNumber', '1.30E+14')),
    /Line 3, column 7 .*as Text/,
  ],
  [
    'a workbook with identifiers as numbers',
    'a.xlsx',
    () => workbookOf('vehicle.mvFileNumber'),
    /Line 2, column 7 .*as Text/,
  ],
  [
    '100,000 rows, of which the last is wrong',
    'a.csv',
    wrongAtEnd,
    /Line 100001, column 5 .*YYYY-MM-DD/,
  ],
  [
    'a heading with a typing error',
    'a.csv',
    () => textOf(ROWS).replace('operator.name', 'operator.nam'),
    /Line 1: .*\(column 6\).*Correct/,
  ],
  [
    'a heading that appears twice',
    'a.csv',
    () => textOf(ROWS).replace('operator.name', 'issuingInsurerCode'),
    /Line 1, columns 1 and 6: .*Remove one/,
  ],
])(
  'is refused before anything is sent: %s',
  async (_case, name, content, message) => {
    const { exitCode, messages, received } = await send(name, content());
    expect({ exitCode, received }).toEqual({ exitCode: 2, received: [] });
    expect(messages).toMatch(message);
  },
  300_000,
);
