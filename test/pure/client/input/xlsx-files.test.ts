import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatchSource } from '../../../../client/cli/input/batch-source.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { acknowledge } from '../fake-registry.ts';
import { useCli } from '../run-cli.ts';
import { makeWorkbook, type WorkbookCell } from './workbook.ts';

const cli = useCli();

const HEADINGS = [
  'issuingInsurerCode',
  'policy.policyNumber',
  'policy.premiumAmount',
  'certificate.cocNumber',
  'certificate.effectiveDate',
  'vehicle.mvFileNumber',
];
const NUMBER = '130100000001099';

function fileOf(rows: readonly (readonly WorkbookCell[])[]): string {
  const file = join(cli.folder, 'certificates.xlsx');
  writeFileSync(file, makeWorkbook(rows));
  return file;
}

async function bodiesOf(file: string): Promise<TransmissionBody[]> {
  const bodies: TransmissionBody[] = [];
  for await (const { body } of makeBatchSource(file)()) bodies.push(body);
  return bodies;
}

describe('a workbook', () => {
  it('with identifiers as text, amounts as numbers and days as dates is read', async () => {
    const row = ['INS-ALPHA', 'P & P', { number: '1250.5' }, 'C-1', { day: 46_353 }, NUMBER];
    const [body, ...others] = await bodiesOf(fileOf([[], HEADINGS, [], row, ['', '', ' ']]));
    expect(others).toEqual([]);
    expect(body).toMatchObject({
      policy: { policyNumber: 'P & P', premiumAmount: 1250.5 },
      certificate: { effectiveDate: '2026-11-27' },
      vehicles: [{ mvFileNumber: NUMBER }],
    });
  });

  it('with amounts and days as text is the same batch', async () => {
    // Excel writes 1250.1 in this way.
    const amount = { number: '1250.0999999999999' };
    const cells = ['INS-ALPHA', 'P-1', amount, 'C-1', { day: 46_353 }, NUMBER];
    const texts = ['INS-ALPHA', 'P-1', '1250.10', 'C-1', '2026-11-27', NUMBER];
    const [ofCells] = await bodiesOf(fileOf([HEADINGS, cells]));
    const [ofTexts] = await bodiesOf(fileOf([HEADINGS, texts]));
    expect(ofTexts).toEqual(ofCells);
  });

  it.each<[string, string, WorkbookCell, RegExp]>([
    [
      'an identifier',
      'vehicle.mvFileNumber',
      { number: NUMBER },
      /Excel made this number of an identifier/,
    ],
    [
      'a long identifier',
      'vehicle.mvFileNumber',
      { number: '1.301E+16' },
      /Excel made this of a long number/,
    ],
    ['a date', 'certificate.cocNumber', { day: 46_353 }, /Excel made this date of an identifier/],
    [
      'a day without its format',
      'certificate.effectiveDate',
      { number: '46353' },
      /Excel made this number of a date/,
    ],
  ])(
    'with %s as a number is refused before anything is sent',
    async (_case, column, cell, message) => {
      const row = ['INS-ALPHA', 'P-1', { number: '1' }, 'C-1', { day: 46_353 }, NUMBER];
      const changed = row.map((one, index) => (HEADINGS[index] === column ? cell : one));
      const { exitCode, messages } = await cli.run(['batch', fileOf([HEADINGS, changed])], {
        answer: () => acknowledge(201),
      });
      expect({ exitCode, sent: cli.registry?.received }).toEqual({ exitCode: 2, sent: [] });
      expect(messages).toContain(`Line 2, column ${HEADINGS.indexOf(column) + 1} (${column})`);
      expect(messages).toMatch(message);
    },
  );

  it('that is none is refused', async () => {
    const file = join(cli.folder, 'a.xlsx');
    writeFileSync(file, 'issuingInsurerCode,policy.policyNumber');
    await expect(bodiesOf(file)).rejects.toThrow('cannot be read as a workbook');
  });
});
