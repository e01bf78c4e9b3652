import { readEnd } from '../../../../console/api/export-end.ts';

describe('the end of an export', () => {
  it('says that the file is complete, or that the limit was reached', () => {
    expect(readEnd('a,b\r\n1,2\r\n# complete, 1 rows\r\n')).toEqual({ rows: 1, isComplete: true });
    expect(readEnd('# complete, 0 rows\r\n')).toEqual({ rows: 0, isComplete: true });
    expect(readEnd('x\r\n# incomplete, the limit is reached, 1000000 rows\r\n')).toEqual({
      rows: 1_000_000,
      isComplete: false,
    });
  });

  it.each([
    ['nothing', ''],
    ['a row', 'a,b\r\n1,2\r\n'],
    ['half of the last line', '1,2\r\n# complete, 1'],
    ['a row after it', '# complete, 1 rows\r\n1,2\r\n'],
    ['a cell with the same text', '1,"# complete, 1 rows"\r\n'],
    ['a cell that ends with it', '1,# complete, 1 rows\r\n'],
  ])('is missing in a file that ends with %s', (_, text) => {
    expect(readEnd(text)).toBeUndefined();
  });
});
