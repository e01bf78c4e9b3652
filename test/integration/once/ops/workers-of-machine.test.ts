import { workersOfMachine } from '../../../../ops/launch/workers-of-machine.ts';

describe('the workers of a machine', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [9, 4],
  ])('with %i cores are %i', (cores, workers) => {
    expect(workersOfMachine(cores)).toBe(workers);
  });

  it('are at least one on this machine', () => {
    expect(workersOfMachine()).toBeGreaterThanOrEqual(1);
  });
});
