import { addDays, daysBetween, isCalendarDate } from '../../../shared/domain/calendar.ts';

describe('a calendar date', () => {
  it.each(['2026-01-01', '2026-12-31', '2024-02-29', '2000-02-29', '1900-01-01', '2999-12-31'])(
    '%s is one',
    (text) => expect(isCalendarDate(text)).toBe(true),
  );

  it.each([
    ['a day that the month does not have', '2026-02-30'],
    ['the leap day of another year', '2026-02-29'],
    ['the leap day of a century', '2100-02-29'],
    ['a thirteenth month', '2026-13-01'],
    ['month zero', '2026-00-10'],
    ['day zero', '2026-01-00'],
    ['another order', '01-02-2026'],
    ['one digit only', '2026-1-1'],
    ['slashes', '2026/01/01'],
    ['no separators', '20260101'],
    ['a time', '2026-01-01T'],
    ['white space', ' 2026-01-01'],
    ['a year before 1900', '1899-12-31'],
    ['a year after 2999', '3000-01-01'],
    ['a sign', '+2026-01-01'],
    ['other digits', '\u0662026-01-01'],
    ['nothing', ''],
    ['a word', 'tomorrow'],
  ])('with %s is invalid', (_what, text) => expect(isCalendarDate(text)).toBe(false));

  it('moves over months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it('differs from another date by the number of days between them', () => {
    expect(daysBetween('2026-01-01', '2026-01-01')).toBe(0);
    expect(daysBetween('2026-01-01', '2027-01-01')).toBe(365);
    expect(daysBetween('2027-01-01', '2026-01-01')).toBe(-365);
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  });
});
