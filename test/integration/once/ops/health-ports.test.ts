import { healthPortsOf } from '../../../../ops/launch/health-ports.ts';

describe('the health servers of one machine', () => {
  it('have a port each, the API the first', () => {
    expect(healthPortsOf({ port: 3000, healthPort: 3001 }, 2)).toEqual({
      api: 3001,
      workers: [3002, 3003],
    });
  });

  it('take any free ports for 0, and are not there without HEALTH_PORT', () => {
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
        `HEALTH_PORT must leave 3 ports that are not PORT (${port})`,
      );
    },
  );
});
