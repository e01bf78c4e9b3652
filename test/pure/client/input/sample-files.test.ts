import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatchSource } from '../../../../client/cli/input/batch-source.ts';
import type { Encoding } from '../../../../client/cli/input/read-text.ts';
import { acknowledge } from '../fake-registry.ts';
import { useCli } from '../run-cli.ts';
import {
  HEADINGS,
  manyRows,
  NAMES,
  quote,
  ROWS,
  textOf,
  utf16be,
  utf16le,
  windows1252,
  withCell,
} from './sample-rows.ts';

const cli = useCli();

function fileOf(name: string, content: string | Buffer): string {
  const file = join(cli.folder, name);
  writeFileSync(file, content);
  return file;
}

async function namesIn(file: string, encoding?: Encoding): Promise<unknown[]> {
  const names: unknown[] = [];
  for await (const { body } of makeBatchSource(file, encoding)()) names.push(body.operator.name);
  return names;
}

describe('a file as a spreadsheet saves it is read', () => {
  it.each<[string, string, string | Buffer, Encoding]>([
    ['UTF-8 with a mark (Excel: CSV UTF-8)', 'a.csv', `\uFEFF${textOf(ROWS)}`, 'utf-8'],
    ['UTF-8 without a mark', 'a.csv', textOf(ROWS), 'utf-8'],
    ['windows-1252 (Excel: CSV)', 'a.csv', windows1252(textOf(ROWS)), 'windows-1252'],
    ['UTF-16 with tabs (Excel: Unicode Text)', 'a.txt', utf16le(textOf(ROWS, '\t')), 'utf-16'],
    ['UTF-16 with the other byte order', 'a.csv', utf16be(textOf(ROWS)), 'utf-16'],
    ['semicolons, as Excel saves them with a decimal comma', 'a.csv', textOf(ROWS, ';'), 'utf-8'],
    ['tabs', 'a.tsv', textOf(ROWS, '\t'), 'utf-8'],
    [
      'headings in quotation marks',
      'a.csv',
      textOf(ROWS, ';').replace(/^[^\r]+/, (line) => line.replace(/[^;]+/g, '"$&"')),
      'utf-8',
    ],
    [
      'empty rows and empty cells after the last heading',
      'a.csv',
      textOf(ROWS).replaceAll('\r\n', ',,\r\n,,,,,,,,\r\n\r\n'),
      'utf-8',
    ],
  ])('%s', async (_case, name, content, encoding) => {
    expect(await namesIn(fileOf(name, content), encoding)).toEqual(NAMES);
  });

  it('with the same ids when its columns have another order', async () => {
    const idsIn = async (file: string) => {
      const ids: string[] = [];
      for await (const { body } of makeBatchSource(file)()) ids.push(body.externalTransactionId);
      return ids;
    };
    const reversed = [HEADINGS, ...ROWS]
      .map((row) => row.toReversed().map(quote).join(','))
      .join('\n');
    expect(await idsIn(fileOf('b.csv', reversed))).toEqual(
      await idsIn(fileOf('a.csv', textOf(ROWS))),
    );
  });

  it('up to a wrong cell near the end of many rows, whose line is right', async () => {
    const text = manyRows(2_000).replace('C-1998,2026-11-27', 'C-1998,27.11.2026');
    await expect(namesIn(fileOf('a.csv', text))).rejects.toThrow('Line 2000, column 5');
  });
});

describe('a file that a spreadsheet has changed is refused before anything is sent', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'a date with slashes',
      'certificate.effectiveDate',
      '11/27/2026',
      /Excel made this of a date.*"11\/27\/2026".*YYYY-MM-DD/,
    ],
    ['a date with dots', 'certificate.effectiveDate', '27.11.2026', /Excel made this of a date/],
    [
      'a date with the name of a month',
      'certificate.effectiveDate',
      '27-Nov-26',
      /Excel made this of a date/,
    ],
    [
      'the number of a day',
      'certificate.effectiveDate',
      '46353',
      /Excel made this number of a date/,
    ],
    ['a text instead of a date', 'certificate.effectiveDate', 'soon', /not a date/],
    [
      'a long number',
      'vehicle.mvFileNumber',
      '1.30E+14',
      /Excel made this of a long number.*"1\.30E\+14".*Text/,
    ],
    [
      'a long number with a comma',
      'vehicle.mvFileNumber',
      '1,30E+14',
      /Excel made this of a long number/,
    ],
    ['a decimal comma', 'policy.premiumAmount', '1250,50', /decimal point/],
    ['separated thousands', 'policy.premiumAmount', '1,250.50', /decimal point/],
  ])('%s', async (_case, column, text, message) => {
    const file = fileOf('a.csv', textOf(withCell(column, text)));
    const { exitCode, messages } = await cli.run(['batch', file], {
      answer: () => acknowledge(201),
    });
    expect({ exitCode, sent: cli.registry?.received }).toEqual({ exitCode: 2, sent: [] });
    expect(messages).toContain(`Line 3, column ${HEADINGS.indexOf(column) + 1} (${column})`);
    expect(messages).toMatch(message);
  });

  it('with each wrong cell, up to a limit', async () => {
    const rows = Array.from({ length: 30 }, (_, index) =>
      (ROWS[0] ?? []).map((cell, at) => (at === 4 ? '11/27/2026' : at === 3 ? `C-${index}` : cell)),
    );
    const reading = namesIn(fileOf('a.csv', textOf(rows)));
    await expect(reading).rejects.toThrow(
      /30 cells cannot be sent[\s\S]*Line 21,[\s\S]*and 10 more\./,
    );
  });

  it.each<[string, Buffer, Encoding, RegExp]>([
    [
      'Mac OS Roman',
      Buffer.from([...Buffer.from(textOf([])), 0x50, 0x96]),
      'utf-8',
      /Line 2, column 2 is not UTF-8/,
    ],
    [
      'UTF-8 called windows-1252',
      Buffer.from(`\uFEFF${textOf(ROWS)}`),
      'windows-1252',
      /Line 1, column 1 is not windows-1252/,
    ],
    [
      'Mac OS Roman called windows-1252',
      Buffer.from([...Buffer.from(textOf([])), 0x50, 0x8f]),
      'windows-1252',
      /Line 2, column 2 is not windows-1252/,
    ],
    ['UTF-8 called UTF-16', Buffer.from(textOf(ROWS)), 'utf-16', /UTF-16/],
    [
      'half of a UTF-16 character',
      utf16le(textOf(ROWS)).subarray(0, -1),
      'utf-16',
      /not UTF-16 after line/,
    ],
  ])('in the wrong encoding: %s', async (_case, content, encoding, message) => {
    await expect(namesIn(fileOf('a.csv', content), encoding)).rejects.toThrow(message);
  });

  it.each([
    [
      'a value with the delimiter and no quotation marks',
      textOf(ROWS).replace('"Peña, Ñ"', 'Peña, Ñ'),
      /Line 2, column 8.*quotation marks/,
    ],
    [
      'a row that ends early',
      textOf(ROWS).replace(',130100000001100', ''),
      /Line 3 has 6 cells.*7 headings/,
    ],
    [
      'a heading that appears twice',
      textOf(ROWS).replace('operator.name', 'issuingInsurerCode'),
      /issuingInsurerCode appears twice/,
    ],
  ])('%s', async (_case, text, message) => {
    await expect(namesIn(fileOf('a.csv', text))).rejects.toThrow(message);
  });

  it('with the line where the row begins, after values of several lines', async () => {
    const rows = [ROWS[0] ?? [], ...withCell('certificate.effectiveDate', '11/27/2026').slice(1)];
    const text = textOf(rows).replace('"Peña, Ñ"', '"Peña\n\nÑ"');
    await expect(namesIn(fileOf('a.csv', text))).rejects.toThrow('Line 5, column 5');
  });
});

it('ignores the columns that describe errors of an earlier run', async () => {
  const text = textOf(ROWS)
    .replaceAll('\r\n', ',REQUIRED,policy,It is required.\r\n')
    .replace('REQUIRED,policy,It is required.', 'error.code,error.field,error.message');
  const file = fileOf('a.csv', text);
  expect(await namesIn(file)).toEqual(NAMES);
});
