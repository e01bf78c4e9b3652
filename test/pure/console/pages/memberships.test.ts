import { makeAxis, stateOf } from '../../../../console/pages/pools/memberships/axis.ts';

const TODAY = '2026-07-01';

let made = 0;

function membershipOf(insurer: string, validFrom: string, validTo: string | null) {
  made += 1;
  return {
    id: String(made),
    validFrom,
    validTo,
    party: { id: insurer, name: insurer },
  };
}

describe('the axis of memberships', () => {
  it('has a row for each insurer, with all its memberships', () => {
    const { rows } = makeAxis(
      [
        membershipOf('A', '2026-01-01', null),
        membershipOf('B', '2025-01-01', '2025-12-31'),
        membershipOf('A', '2024-01-01', '2024-12-31'),
      ],
      TODAY,
    );
    expect(rows.map(({ party, bars }) => [party.name, bars.length])).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
  });

  it('begins with the earliest first day, and a membership without an end reaches its right edge', () => {
    const { rows, today } = makeAxis([membershipOf('A', '2026-01-01', null)], TODAY);
    expect(rows[0]?.bars[0]).toMatchObject({ left: 0, width: 100 });
    expect(today).toBeGreaterThan(0);
    expect(today).toBeLessThan(100);
  });

  it('shows a membership of one day', () => {
    const { rows } = makeAxis([membershipOf('A', TODAY, TODAY)], TODAY);
    expect(rows[0]?.bars[0]?.width).toBeGreaterThan(0);
  });

  it('labels the first of January of each year, and not every one of a long time', () => {
    const short = makeAxis([membershipOf('A', '2024-06-01', null)], TODAY);
    expect(short.years.map(({ year }) => year)).toEqual([2025, 2026, 2027]);
    const long = makeAxis([membershipOf('A', '1970-06-01', null)], TODAY);
    expect(long.years.length).toBeLessThanOrEqual(8);
  });

  it('includes the last day in the membership', () => {
    expect(stateOf(membershipOf('A', '2026-01-01', TODAY), TODAY)).toBe('current');
    expect(stateOf(membershipOf('A', '2026-01-01', '2026-06-30'), TODAY)).toBe('ended');
    expect(stateOf(membershipOf('A', '2026-07-02', null), TODAY)).toBe('later');
  });
});
