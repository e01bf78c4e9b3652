import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Load, workersWanted } from '../../../../shared/platform/config/workers-wanted.ts';
import { makeMetrics } from '../../../../shared/platform/metrics.ts';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';

const TARGET = { drainSeconds: 60, workerRatePerSecond: 100 };
const IDLE: Load = { waitingCost: 0, oldestSeconds: 0, costPerSecond: 0, workers: 0 };
const wanted = (load: Partial<Load>) => workersWanted({ ...IDLE, ...load }, TARGET);

describe('workers wanted', () => {
  it('are none while nothing waits and nothing is settled, however many run', () => {
    expect(wanted({})).toBe(0);
    expect(wanted({ workers: 5 })).toBe(0);
  });

  it('are one as soon as a transmission waits and no worker runs', () => {
    expect(wanted({ waitingCost: 1 })).toBe(1);
    expect(wanted({ waitingCost: 1, oldestSeconds: 10_000 })).toBe(1);
  });

  it('use the expected rate while none is observed', () => {
    expect(wanted({ waitingCost: 6_000 })).toBe(1);
    expect(wanted({ waitingCost: 6_001 })).toBe(2);
    expect(wanted({ waitingCost: 60_000, workers: 3 })).toBe(10);
  });

  it('are fewer for a higher observed rate, and not more for a lower rate of idle workers', () => {
    expect(wanted({ waitingCost: 60_000, workers: 2, costPerSecond: 1_000 })).toBe(2);
    expect(wanted({ waitingCost: 60_000, workers: 2, costPerSecond: 10 })).toBe(10);
  });

  it('use the observed rate, however low, once the oldest transmission is late', () => {
    const late = { waitingCost: 1_500, oldestSeconds: 61, workers: 2 };
    expect(wanted({ ...late, costPerSecond: 20 })).toBe(10);
    expect(wanted({ ...late, costPerSecond: 0 })).toBe(1);
  });

  it('rise with the age of the oldest, up to four times', () => {
    const load = { waitingCost: 24_000, workers: 1 };
    expect(
      [0, 30, 45, 60, 6_000].map((oldestSeconds) => wanted({ ...load, oldestSeconds })),
    ).toEqual([4, 8, 16, 16, 16]);
  });

  it('stay enough for the current throughput when there is no backlog', () => {
    expect(wanted({ workers: 3, costPerSecond: 500 })).toBe(3);
    expect(wanted({ workers: 3, costPerSecond: 150 })).toBe(2);
    expect(wanted({ workers: 7, costPerSecond: 0.7 })).toBe(1);
  });

  it('do not grow as a result of their own growth', () => {
    const backlog = { waitingCost: 600_000, oldestSeconds: 0 };
    const first = wanted({ ...backlog, workers: 10, costPerSecond: 10_000 });
    const second = wanted({ ...backlog, workers: first, costPerSecond: first * 1_000 });
    expect([first, second]).toEqual([10, 10]);
  });
});

describe('the example for KEDA', () => {
  it('uses existing metrics', async () => {
    const example = readFileSync(
      join(findProjectRoot(), 'docs', 'operations', 'keda-scaled-object.yaml'),
      'utf8',
    );
    const asked = [...example.matchAll(/\bregistry_\w+/g)].map(([name]) => name);
    const known = await makeMetrics().registry.metrics();
    expect(asked).not.toHaveLength(0);
    for (const name of asked) expect(known).toContain(`\n${name} 0\n`);
  });
});
