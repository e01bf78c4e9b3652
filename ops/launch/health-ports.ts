import { type Config, ConfigError } from '../../shared/platform/config/config.ts';

/** Ports of the health servers of all processes on a machine; undefined without HEALTH_PORT. */
export interface HealthPorts {
  readonly api: number | undefined;
  readonly workers: readonly (number | undefined)[];
}

const PORT_MAX = 65_535;

/** The API gets HEALTH_PORT and the workers the following ports; 0 stays 0. Throws {@link ConfigError} when one equals PORT or is too high. */
export function healthPortsOf(
  { port, healthPort }: Pick<Config, 'port' | 'healthPort'>,
  workers: number,
): HealthPorts {
  const portOf = (offset: number) =>
    healthPort === undefined || healthPort === 0 ? healthPort : healthPort + offset;
  const last = portOf(workers) ?? 0;
  const first = healthPort ?? 0;
  if (last > PORT_MAX || (first > 0 && first <= port && port <= last)) {
    throw new ConfigError(
      `HEALTH_PORT must be followed by enough ports for the API and each worker (${workers + 1} in all), none of them PORT (${port}); ${first} is not.`,
    );
  }
  return {
    api: portOf(0),
    workers: Array.from({ length: workers }, (_, index) => portOf(index + 1)),
  };
}
