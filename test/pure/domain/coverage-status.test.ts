import { coverageStatusOn } from '../../../shared/domain/coverage-status.ts';

describe('coverageStatus (D12)', () => {
  const year = {
    lifecycle: 'CURRENT',
    effectiveDate: '2026-01-01',
    expirationDate: '2026-12-31',
  } as const;

  it.each([
    ['2025-12-31', 'UPCOMING', 'on the day before the effective date'],
    ['2026-01-01', 'ACTIVE', 'on the effective date'],
    ['2026-11-30', 'ACTIVE', 'when 31 days are left'],
    ['2026-12-01', 'EXPIRING', 'when 30 days are left'],
    ['2026-12-31', 'EXPIRING', 'on the expiration date'],
    ['2027-01-01', 'EXPIRED', 'on the day after the expiration date'],
  ])('on %s is %s: %s', (today, status) => {
    expect(coverageStatusOn(today, year, 30)).toBe(status);
  });

  it('is CANCELLED, independent of the dates', () => {
    for (const today of ['2025-01-01', '2026-06-01', '2028-01-01']) {
      expect(coverageStatusOn(today, { ...year, lifecycle: 'CANCELLED' }, 30)).toBe('CANCELLED');
    }
  });

  it('uses the days before EXPIRING from the rule set', () => {
    expect(coverageStatusOn('2026-12-30', year, 0)).toBe('ACTIVE');
    expect(coverageStatusOn('2026-12-31', year, 0)).toBe('EXPIRING');
    expect(coverageStatusOn('2026-10-02', year, 90)).toBe('EXPIRING');
  });
});
