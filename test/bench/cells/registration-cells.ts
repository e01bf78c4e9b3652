import { SIZES, type Size } from '../load/certificates.ts';
import { SHAPES } from '../processes.ts';
import { registryDatabase } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { measureLimit, measureRegistry, REGISTRATIONS, WARM_UP_TIMES } from './registration.ts';

interface Load {
  readonly itemsMin: number;
  readonly items: number;
  readonly limitItems: number;
  readonly connections: number;
  readonly limitConnections: number;
  readonly warmUpItems: number;
  readonly warmUpItemsMin: number;
  readonly unit: string;
}

/**
 * Items of a round and connections of the generator, for a few seconds of work each. The limit has the connections with which
 * it does the most on two cores: eight do a quarter less than two where a statement is large. However short a turn, both are warm again
 * before it counts: they rested while others had theirs, and the pages of another database are in the buffers then.
 */
const LOADS: Readonly<Record<Size, Load>> = {
  1: {
    itemsMin: 300,
    items: 2_000,
    limitItems: 3_000,
    connections: 16,
    limitConnections: 8,
    warmUpItems: 400,
    warmUpItemsMin: 150,
    unit: 'certificate of 1 vehicle',
  },
  500: {
    itemsMin: 16,
    items: 192,
    limitItems: 192,
    connections: 4,
    limitConnections: 2,
    warmUpItems: 96,
    warmUpItemsMin: 48,
    unit: 'certificate of 500 vehicles',
  },
};
const SECONDS: Readonly<Record<Size, number>> = { 1: 7, 500: 20 };

/**
 * The limit is measured in the registry's own database: the more is registered, the more a registration costs, and a
 * database of its own would be a smaller one.
 */
export const REGISTRATION_CELLS: readonly Cell[] = SIZES.flatMap((size) =>
  SHAPES.flatMap((shape): Cell[] => {
    const { itemsMin, items, limitItems, connections, limitConnections, unit } = LOADS[size];
    const warmUpItems = (scale: Scale) =>
      scaled(LOADS[size].warmUpItems, scale, LOADS[size].warmUpItemsMin);
    return [
      {
        group: REGISTRATIONS,
        name: `limit-${shape}/${size}`,
        unit,
        seconds: SECONDS[size],
        about: `The two statements of a registration (facts; claims and settlement) as prepared statements straight on PostgreSQL, over ${limitConnections} connections that have carried out some before; in the database of the registry.`,
        measure: async (world, scale, bounds) =>
          measureLimit(
            { servers: world.servers, bounds },
            await world.database(registryDatabase(shape)),
            {
              vehicles: size,
              items: scaled(limitItems, scale, itemsMin),
              connections: limitConnections,
              warmUpItems: warmUpItems(scale),
            },
          ),
      },
      {
        group: REGISTRATIONS,
        name: `registry-${shape}/${size}`,
        unit,
        seconds: SECONDS[size],
        warmUpTimes: WARM_UP_TIMES,
        about: `Signed POSTs to the API, as many as workers take, queue and workers on ${shape === 'redis' ? 'Redis' : 'PostgreSQL'}.`,
        measure: async (world, scale, bounds) =>
          measureRegistry({ servers: world.servers, bounds }, await world.registry(shape), {
            vehicles: size,
            items: scaled(items, scale, itemsMin),
            connections,
            warmUpItems: warmUpItems(scale),
          }),
      },
    ];
  }),
);
