import { calendarDate, endOfDate, makeMovableClock } from '../../../../shared/platform/clock.ts';

describe('calendarDate (D8)', () => {
  it('begins a new day at midnight in Manila, independent of the time zone of the server', () => {
    expect(calendarDate(new Date('2026-03-09T15:59:59.999Z'), 'Asia/Manila')).toBe('2026-03-09');
    expect(calendarDate(new Date('2026-03-09T16:00:00.000Z'), 'Asia/Manila')).toBe('2026-03-10');
  });

  it('returns the date in another zone for the same instant', () => {
    expect(calendarDate(new Date('2026-03-09T16:00:00.000Z'), 'UTC')).toBe('2026-03-09');
  });

  it('pads months and days', () => {
    expect(calendarDate(new Date('2027-01-01T00:00:00Z'), 'Asia/Manila')).toBe('2027-01-01');
  });
});

describe('a calendar that is some days ahead (D40)', () => {
  const instant = new Date('2026-12-31T15:59:59.999Z');

  it.each([
    [1, '2027-01-01', '2026-12-31T16:00:00.000Z'],
    [-365, '2025-12-31', '2026-12-31T16:00:00.000Z'],
    [3_650, '2036-12-28', '2026-12-31T16:00:00.000Z'],
  ])('by %d days: shows that date, which ends with the real day', (daysAhead, date, end) => {
    expect(calendarDate(instant, 'Asia/Manila', daysAhead)).toBe(date);
    expect(endOfDate(date, 'Asia/Manila', daysAhead).toISOString()).toBe(end);
  });
});

describe('endOfDate (D8)', () => {
  it.each([
    ['2026-10-15', 'Asia/Manila', '2026-10-15T16:00:00.000Z'],
    ['2026-12-31', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2026-12-31', 'Etc/GMT+12', '2027-01-01T12:00:00.000Z'],
    // Daylight saving time begins, and ends, in the night before.
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    // Samoa had no 30 December 2011.
    ['2011-12-29', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('is the first instant after %s in %s', (date, zone, instant) => {
    expect(endOfDate(date, zone).toISOString()).toBe(instant);
    expect(calendarDate(new Date(Date.parse(instant) - 1), zone)).toBe(date);
  });
});

describe('a movable clock', () => {
  it('changes only when it is set or advanced', () => {
    const clock = makeMovableClock(new Date('2026-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
    clock.advance(86_400_000);
    expect(clock.now()).toEqual(new Date('2026-01-02T00:00:00Z'));
    clock.moveTo(new Date('2030-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2030-01-01T00:00:00Z'));
  });
});
