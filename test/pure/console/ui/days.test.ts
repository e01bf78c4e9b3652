import {
  dayAfter,
  dayOf,
  isDay,
  lastDayBefore,
  startOfDay,
} from '../../../../console/ui/list/days.ts';

describe('days of the registry as moments', () => {
  it('begin at midnight of its zone', () => {
    expect(startOfDay('2026-11-02', 'Asia/Manila')).toBe('2026-11-02T00:00:00+08:00');
    expect(startOfDay('2026-11-02', 'UTC')).toBe('2026-11-02T00:00:00+00:00');
    expect(startOfDay('2026-11-02', 'America/New_York')).toBe('2026-11-02T00:00:00-05:00');
  });

  it('begin with the offset of that midnight on the day when clocks change', () => {
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T00:00:00+01:00');
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-30T00:00:00+02:00');
    expect(startOfDay('2026-11-01', 'America/New_York')).toBe('2026-11-01T00:00:00-04:00');
  });

  it('are found again from their moments', () => {
    const zone = 'Asia/Manila';
    expect(dayOf(startOfDay('2026-11-02', zone), zone)).toBe('2026-11-02');
    expect(dayOf('2026-11-01T16:00:00Z', zone)).toBe('2026-11-02');
    const end = startOfDay(dayAfter('2026-12-31'), zone);
    expect(end).toBe('2027-01-01T00:00:00+08:00');
    expect(lastDayBefore(end, zone)).toBe('2026-12-31');
    expect([dayOf('soon', zone), lastDayBefore('', zone)]).toEqual(['', '']);
  });

  it('are no days while their year is typed', () => {
    expect(['2026-11-02', '0202-11-02', '2026-13-01', ''].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
