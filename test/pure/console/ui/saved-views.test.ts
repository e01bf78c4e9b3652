import {
  areCodes,
  isMoment,
  oneOrMoreOf,
  parseViews,
  savableSearch,
} from '../../../../console/ui/list/savable.ts';

const SAVABLE = {
  status: oneOrMoreOf(['OPEN', 'CLEARED']),
  insurerCode: areCodes,
  from: isMoment,
};

describe('a saved view', () => {
  it('has values of vocabularies, codes and dates, and says what it leaves out', () => {
    const query = {
      status: 'OPEN,CLEARED',
      insurerCode: 'INS-ALPHA,INS-BRAVO',
      from: '2026-11-02T00:00:00+08:00',
      plateNumber: 'ABC123',
      reviewedBy: 'maria@staff.example',
      cursor: 'abc',
    };
    expect(savableSearch(query, SAVABLE)).toEqual({
      search:
        '?status=OPEN%2CCLEARED&insurerCode=INS-ALPHA%2CINS-BRAVO&from=2026-11-02T00%3A00%3A00%2B08%3A00',
      left: ['plateNumber', 'reviewedBy'],
    });
    expect(savableSearch({}, SAVABLE)).toEqual({ search: '', left: [] });
  });

  it.each([
    ['status', 'Maria Santos'],
    ['status', 'OPEN,Maria'],
    ['insurerCode', 'Maria'],
    ['insurerCode', 'MARIA SANTOS'],
    ['insurerCode', 'maria@staff.example'],
    ['from', 'Maria'],
    ['from', '2026-11-02 Maria'],
    ['constructor', 'Maria'],
  ])('never has a name of a person as %s=%s', (name, value) => {
    expect(savableSearch({ [name]: value }, SAVABLE)).toEqual({ search: '', left: [name] });
  });

  it('is read back without what may not be kept, and without what is no view', () => {
    const stored = [
      { name: 'Open', search: '?status=OPEN&plateNumber=ABC123' },
      { name: 'no search' },
      'text',
      null,
    ];
    expect(parseViews(JSON.stringify(stored), SAVABLE)).toEqual([
      { name: 'Open', search: '?status=OPEN' },
    ]);
    for (const broken of [null, '', '{', '{}', '7'])
      expect(parseViews(broken, SAVABLE)).toEqual([]);
  });
});
