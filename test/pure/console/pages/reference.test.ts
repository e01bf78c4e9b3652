import { checkHeading, readFirstLine } from '../../../../console/pages/reference/heading.ts';
import {
  explainImport,
  explainRegion,
  sizeInWords,
} from '../../../../console/pages/reference/import-words.ts';
import { REFERENCE_COLUMNS } from '../../../../shared/contract/staff/reference.ts';

type Import = Parameters<typeof explainImport>[0];
type ImportedRegion = Import['regions'][number];

const HEADING = REFERENCE_COLUMNS.join(',');

describe('the heading of a reference file', () => {
  const check = (line: string): string[] => checkHeading(line, REFERENCE_COLUMNS);

  it.each([
    HEADING,
    [...REFERENCE_COLUMNS].reverse().join(' , '),
    REFERENCE_COLUMNS.map((column) => `"${column}"`).join(','),
  ])('is accepted: %s', (line) => expect(check(line)).toEqual([]));

  it.each([
    ['', ['The file is empty.']],
    ['a,b', [`The first line must name the columns ${REFERENCE_COLUMNS.join(', ')}.`]],
    [
      HEADING.replaceAll(',', ';'),
      ['The columns are separated by semicolons. Save the file with commas.'],
    ],
    [
      HEADING.replace('plateNumber', 'Plate'),
      ['The column plateNumber is missing.', 'The column Plate is not known.'],
    ],
    [`${HEADING},`, ['A column has no name.']],
    [`${HEADING},region`, ['The column region is there more than once.']],
  ])('is refused: %s', (line, flaws) => expect(check(line)).toEqual(flaws));

  it('is the first line with text, without a byte order mark', async () => {
    const file = new Blob([`\ufeff\r\n\n${HEADING}\r\nNCR,,,,`]);
    expect(await readFirstLine(file)).toBe(HEADING);
  });

  it('is read though a character is cut where reading stops', async () => {
    const file = new Blob([`x${'Ñ'.repeat(4_000)}`]);
    expect(await readFirstLine(file)).toMatch(/^xÑ+$/);
  });

  it('is not read of a file that is not UTF-8', async () => {
    await expect(readFirstLine(new Blob([new Uint8Array([0xff, 0xfe, 0x41])]))).rejects.toThrow();
  });
});

describe('the result of an import in words', () => {
  const region = (changes: Partial<ImportedRegion> = {}): ImportedRegion => ({
    region: 'NCR',
    rows: 2,
    errors: 0,
    result: 'REFUSED',
    vehiclesBefore: 1_180,
    ...changes,
  });
  const NCR_HAS_ERRORS = region({ errors: 3 });

  it.each<[string, Partial<Import>, string]>([
    [
      'one line without a region',
      { status: 'REFUSED', errorCount: 1, regions: [region()] },
      'One line names no region, so none was replaced.',
    ],
    [
      'no line with a region',
      { status: 'REFUSED', errorCount: 2, regions: [] },
      'Lines that name no region have 2 errors, so none was replaced.',
    ],
    [
      'an error in every region',
      { status: 'REFUSED', errorCount: 3, regions: [NCR_HAS_ERRORS] },
      'Every region of the file has an error, so none was replaced.',
    ],
    [
      'one region of two',
      {
        status: 'PARTLY_COMPLETED',
        errorCount: 3,
        regions: [NCR_HAS_ERRORS, region({ region: 'CAR', result: 'REPLACED' })],
      },
      '1 of 2 regions were replaced. A region with an error keeps its earlier vehicles.',
    ],
    [
      'a failure after one region',
      { status: 'FAILED', errorCount: 0, regions: [region({ result: 'REPLACED' })] },
      'The registry failed after it had replaced 1 region. Upload the file again.',
    ],
  ])('%s', (_, one, sentence) => expect(explainImport(one as Import)).toBe(sentence));

  it.each<[string, ImportedRegion, number, string]>([
    ['replaced', region({ result: 'REPLACED' }), 0, '2 vehicles in place of 1,180.'],
    ['own errors', NCR_HAS_ERRORS, 3, 'Its lines have 3 errors. It keeps its 1,180 vehicles.'],
    [
      'an error of another line',
      region(),
      1,
      'One line names no region, so none was replaced. It keeps its 1,180 vehicles.',
    ],
    [
      'both',
      NCR_HAS_ERRORS,
      4,
      'Its lines have 3 errors. One line names no region, so none was replaced. It keeps its 1,180 vehicles.',
    ],
  ])('of a region: %s', (_, one, errorCount, sentence) => {
    const whole: Import = { status: 'REFUSED', errorCount, regions: [one] };
    expect(explainRegion(one, whole)).toBe(sentence);
  });

  it.each([
    [700, '700 bytes'],
    [8_808_038, '8.4 MB'],
    [10 * 1_048_576, '10 MB'],
  ])('%d bytes are %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));
});
