import { calendarDate, makeMovableClock } from '../../shared/platform/clock.ts';

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
