import { csvLine, valueAt } from '../../../api/http/csv-text.ts';

describe('a line of CSV', () => {
  it.each<[string, unknown[], string]>([
    ['plain values', ['a', 1, true], 'a,1,true'],
    ['absent values', [null, undefined, 'b'], ',,b'],
    [
      'commas, quotes and line breaks',
      ['a,b', 'say "no"', 'two\nlines'],
      '"a,b","say ""no""","two\nlines"',
    ],
    ['lists and objects', [['A1', 'B2'], { status: 'OPEN' }], 'A1 B2,"{""status"":""OPEN""}"'],
    ['right-to-left text and markup', ['שלום', '<script>'], 'שלום,<script>'],
  ])('has %s', (_what, values, line) => {
    expect(csvLine(values)).toBe(`${line}\r\n`);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', "=cmd|' /C calc'!A0"])(
    'cannot be run as a formula: %j',
    (text) => {
      const line = csvLine([text, [text]]);
      expect(line.replaceAll('"', '').split(',')[0]?.[0]).toBe("'");
      expect(line).not.toMatch(/(^|,)"?[=+\-@\t\r\n]/);
    },
  );

  it('keeps negative numbers', () => {
    expect(csvLine([-1, '-1'])).toBe("-1,'-1\r\n");
  });
});

it('a path leads to the value of a member, or to nothing', () => {
  const item = { target: { id: 7 }, assignee: null };
  const paths = ['target.id', 'assignee.email', 'nobody.name', 'target'];
  expect(paths.map((path) => valueAt(item, path))).toEqual([7, undefined, undefined, { id: 7 }]);
});
