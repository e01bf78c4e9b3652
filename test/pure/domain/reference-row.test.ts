import { REFERENCE_COLUMNS } from '../../../shared/contract/staff/reference.ts';
import { readHeading, readReferenceRow } from '../../../shared/domain/reference-row.ts';

const read = (...cells: string[]) => readReferenceRow(REFERENCE_COLUMNS, cells);

describe('the heading of a reference file', () => {
  it('names every column once, in any order', () => {
    const reversed = [...REFERENCE_COLUMNS].reverse();
    expect(readHeading(reversed)).toEqual(reversed);
    expect(readHeading(REFERENCE_COLUMNS.map((name) => ` ${name} `))).toEqual(REFERENCE_COLUMNS);
  });

  it('is refused with a missing, additional, repeated or unknown column', () => {
    const [first, ...others] = REFERENCE_COLUMNS;
    for (const cells of [others, [first, ...REFERENCE_COLUMNS], [...others, 'Region'], []]) {
      expect(readHeading(cells)).toBeUndefined();
    }
  });
});

describe('a line of a reference file', () => {
  it('is normalized as a transmission is (D7)', () => {
    expect(read(' NCR ', 'abc 101', '1301-0001', 'eng.0001', 'chs/0001')).toEqual({
      region: 'NCR',
      identifiers: {
        plateNumber: 'ABC101',
        mvFileNumber: '13010001',
        engineNumber: 'ENG0001',
        chassisNumber: 'CHS0001',
      },
      flaws: [],
    });
  });

  it('may lack identifiers, but not all', () => {
    expect(read('NCR', '', '', 'ENG0001', '').flaws).toEqual([]);
    expect(read('NCR', '', ' ', '', '').flaws).toMatchObject([{ field: null, code: 'REQUIRED' }]);
  });

  it('is reported with all its errors', () => {
    const { region, identifiers, flaws } = read('IV', 'ABCDEF', '--', 'ENG0001', 'Ñ0001');
    expect(region).toBeNull();
    expect(identifiers).toMatchObject({ plateNumber: null, engineNumber: 'ENG0001' });
    expect(flaws.map(({ field }) => field)).toEqual([
      'region',
      'chassisNumber',
      'mvFileNumber',
      'plateNumber',
    ]);
    expect(read('', 'ABC101', '', '', '').flaws).toMatchObject([
      { field: 'region', code: 'REQUIRED' },
    ]);
  });

  it.each([
    ['a tab', 'AB\tC101'],
    ['a line break', 'ABC\n101'],
    ['an override', '\u202eABC101'],
    ['a bell', 'ABC101\u0007'],
  ])('must not have an identifier with %s (D31)', (_what, plate) => {
    expect(read('NCR', plate, '', '', '')).toMatchObject({
      identifiers: { plateNumber: null },
      flaws: [
        {
          field: 'plateNumber',
          code: 'INVALID_FORMAT',
          message: expect.stringMatching(/^The character U\+[0-9A-F]{4} is not accepted here\.$/),
        },
      ],
    });
  });

  it('has no region if its number of values differs from the heading', () => {
    for (const cells of [
      ['NCR', 'ABC101'],
      ['NCR', '', '', '', 'CHS0001', ''],
    ]) {
      expect(read(...cells)).toMatchObject({ region: null, flaws: [{ field: null }] });
    }
  });
});
