import { type Config, ConfigError } from '../../shared/platform/config/config.ts';

/** Ports of the health servers of one machine's processes; undefined without HEALTH_PORT. */
export interface HealthPorts {
  readonly api: number | undefined;
  readonly workers: readonly (number | undefined)[];
}

const PORT_MAX = 65_535;

/** The API has HEALTH_PORT and the workers those after it; 0 stays 0. Throws {@link ConfigError} when one is taken or there is none. */
export function healthPortsOf(
  { port, healthPort }: Pick<Config, 'port' | 'healthPort'>,
  workers: number,
): HealthPorts {
  const portOf = (place: number) =>
    healthPort === undefined || healthPort === 0 ? healthPort : healthPort + place;
  const last = portOf(workers) ?? 0;
  const first = healthPort ?? 0;
  if (last > PORT_MAX || (first > 0 && first <= port && port <= last)) {
    throw new ConfigError(
      `HEALTH_PORT must leave ${workers + 1} ports that are not PORT (${port}), one for the API and one for each worker; from ${first} on it does not.`,
    );
  }
  return {
    api: portOf(0),
    workers: Array.from({ length: workers }, (_, index) => portOf(index + 1)),
  };
}
