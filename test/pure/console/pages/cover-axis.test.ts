import { makeCoverAxis } from '../../../../console/pages/vehicles/cover-axis.ts';

function cover(firstDay: string, lastDay: string) {
  return { firstDay, lastDay };
}

function lanesOf(...covers: { firstDay: string; lastDay: string }[]): number[] {
  return makeCoverAxis(covers, '2026-01-01').bars.map(({ lane }) => lane);
}

describe('the axis of the covers of a vehicle', () => {
  it('places each cover from its first to its last day, both included', () => {
    const covers = [cover('2026-01-06', '2026-01-10'), cover('2026-01-01', '2026-01-05')];
    const { bars, laneCount } = makeCoverAxis(covers, '2026-01-06');
    expect(bars.map(({ start, length }) => [start, length])).toEqual([
      [0, 50],
      [50, 50],
    ]);
    expect(laneCount).toBe(1);
  });

  it('puts covers of the same days in different lanes, and uses a lane again once it is free', () => {
    expect(
      lanesOf(
        cover('2026-01-01', '2026-01-31'),
        cover('2026-01-31', '2026-02-10'),
        cover('2026-02-01', '2026-02-28'),
      ),
    ).toEqual([0, 1, 0]);
  });

  it('shows the day only where it is on the axis', () => {
    const covers = [cover('2026-01-01', '2026-01-10')];
    expect(makeCoverAxis(covers, '2026-01-06').today).toBe(50);
    expect(makeCoverAxis(covers, '2025-12-31').today).toBeUndefined();
    expect(makeCoverAxis(covers, '2026-02-01').today).toBeUndefined();
  });

  it('gives a day to a cover that ended before it began', () => {
    const covers = [cover('2026-01-05', '2026-01-01')];
    expect(makeCoverAxis(covers, '2026-01-05').bars.map(({ length }) => length)).toEqual([100]);
  });

  it.each([
    ['2026-01-10', '2026-01-20', ['10 Jan 2026']],
    ['2026-01-10', '2026-03-09', ['Feb 2026', 'Mar 2026']],
    ['2026-01-01', '2026-12-31', ['Jan 2026', 'Apr 2026', 'Jul 2026', 'Oct 2026']],
    ['2026-01-01', '2028-12-31', ['2026', '2027', '2028']],
    ['2015-06-01', '2026-05-31', ['2020', '2025']],
  ])('from %s to %s has the ticks %j', (firstDay, lastDay, labels) => {
    const { ticks } = makeCoverAxis([cover(firstDay, lastDay)], '2026-01-01');
    expect(ticks.map(({ label }) => label)).toEqual(labels);
    for (const { at } of ticks) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThan(100);
    }
  });
});
