import { calendarDate, endOfDate, makeMovableClock } from '../../../../shared/platform/clock.ts';

describe('calendarDate (D8)', () => {
  it('begins a new day at midnight in Manila, whatever the zone of the server', () => {
    expect(calendarDate(new Date('2026-03-09T15:59:59.999Z'), 'Asia/Manila')).toBe('2026-03-09');
    expect(calendarDate(new Date('2026-03-09T16:00:00.000Z'), 'Asia/Manila')).toBe('2026-03-10');
  });

  it('gives the date of another zone for the same instant', () => {
    expect(calendarDate(new Date('2026-03-09T16:00:00.000Z'), 'UTC')).toBe('2026-03-09');
  });

  it('pads months and days', () => {
    expect(calendarDate(new Date('2027-01-01T00:00:00Z'), 'Asia/Manila')).toBe('2027-01-01');
  });
});

describe('endOfDate (D8)', () => {
  it.each([
    ['2026-10-15', 'Asia/Manila', '2026-10-15T16:00:00.000Z'],
    ['2026-12-31', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2026-12-31', 'Etc/GMT+12', '2027-01-01T12:00:00.000Z'],
    // The clocks go forward, and back, in the night before.
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
  it('stands still until it is moved', () => {
    const clock = makeMovableClock(new Date('2026-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
    clock.advance(86_400_000);
    expect(clock.now()).toEqual(new Date('2026-01-02T00:00:00Z'));
    clock.moveTo(new Date('2030-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2030-01-01T00:00:00Z'));
  });
});
