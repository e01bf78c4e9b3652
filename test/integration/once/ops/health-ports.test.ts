import { healthPortsOf } from '../../../../ops/launch/health-ports.ts';

describe('the health servers of one machine', () => {
  it('have one port each, the API the first', () => {
    expect(healthPortsOf({ port: 3000, healthPort: 3001 }, 2)).toEqual({
      api: 3001,
      workers: [3002, 3003],
    });
  });

  it('use any free ports for 0, and do not exist without HEALTH_PORT', () => {
    expect(healthPortsOf({ port: 3000, healthPort: 0 }, 1)).toEqual({ api: 0, workers: [0] });
    expect(healthPortsOf({ port: 3000, healthPort: undefined }, 1)).toEqual({
      api: undefined,
      workers: [undefined],
    });
  });

  it.each([
    [2999, 3000],
    [3000, 3000],
    [2998, 3000],
    [65_534, 3000],
  ])(
    'are refused from %i on beside an API at %i: a process would find its port taken',
    (healthPort, port) => {
      expect(() => healthPortsOf({ port, healthPort }, 2)).toThrow(
        `HEALTH_PORT must be followed by enough ports for the API and each worker (3 in all), none of them PORT (${port})`,
      );
    },
  );
});
