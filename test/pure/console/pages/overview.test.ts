import { ageInWords, listPath, writeTotal } from '../../../../console/pages/overview/links.ts';
import { FLAG_AGES } from '../../../../shared/contract/staff/views/overview.ts';

it('a number leads to its list with the filters of the API', () => {
  expect(listPath('/flags', { status: 'OPEN', ageDaysMin: 0, ageDaysMax: null })).toBe(
    '/flags?status=OPEN&ageDaysMin=0',
  );
  expect(listPath('/transmissions', { receivedFrom: '2026-11-09T00:00:00+08:00' })).toBe(
    '/transmissions?receivedFrom=2026-11-09T00%3A00%3A00%2B08%3A00',
  );
});

it('the ages of flags are in words', () => {
  expect(FLAG_AGES.map(ageInWords)).toEqual([
    'Less than a day',
    '1 to 6 days',
    '7 to 29 days',
    '30 days and more',
  ]);
});

it('a count that stopped at its limit says so', () => {
  expect(writeTotal(1_234, true)).toBe('1,234');
  expect(writeTotal(100_000, false)).toBe('100,000 or more');
});
