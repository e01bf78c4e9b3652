import { withClient } from '../../../shared/db/with-client.ts';
import { makeCertificate, SIZES, type Size } from '../load/certificates.ts';
import { plainRequest } from '../load/requests.ts';
import { sendAll } from '../load/send-all.ts';
import { expectAll } from '../measure/correctness.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { SYNCHRONOUS_CLAIMS } from '../peers/register-with-prisma.ts';
import { registryDatabase, type World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { REGISTRATIONS, WARM_UP_TIMES } from './registration.ts';

/** One of the registry's own, so that both have as much registered. */
const SYNCHRONOUS_DATABASE = registryDatabase('embedded');

const WAYS = [
  {
    name: 'sync',
    path: '/nested',
    about:
      'A synchronous Express endpoint that registers with nested creates of Prisma and claims the identifiers under an exclusion constraint, in one transaction; no signature, no limits, no queue.',
  },
  {
    name: 'sync-unguarded',
    path: '/unguarded',
    about:
      'The same endpoint without claims: two requests at the same moment can insure one vehicle twice.',
  },
  {
    name: 'sync-sql',
    path: '/sql',
    about: "The same endpoint with the registry's own statements, one request after the other.",
  },
] as const;

interface Load {
  readonly itemsMin: number;
  readonly items: number;
  readonly warmUpItems: number;
  readonly warmUpItemsMin: number;
  readonly connections: number;
}

/** What is sent before the clock runs warms it as the registry is warmed. */
const LOADS: Readonly<Record<Size, Load>> = {
  1: { itemsMin: 100, items: 800, warmUpItems: 160, warmUpItemsMin: 60, connections: 16 },
  500: { itemsMin: 4, items: 16, warmUpItems: 4, warmUpItemsMin: 4, connections: 4 },
};

export const SYNCHRONOUS_CELLS: readonly Cell[] = SIZES.flatMap((size) =>
  WAYS.map(
    ({ name, path, about }): Cell => ({
      group: REGISTRATIONS,
      name: `${name}/${size}`,
      about,
      seconds: size === 1 ? 6 : 12,
      isLong: size > 1,
      warmUpTimes: WARM_UP_TIMES,
      unit: `certificate of ${size} ${size === 1 ? 'vehicle' : 'vehicles'}`,
      measure: (world, scale, bounds) => measureSynchronous(world, path, size, scale, bounds),
    }),
  ),
);

async function measureSynchronous(
  world: World,
  path: string,
  vehicles: Size,
  scale: Scale,
  bounds: Bounds,
): Promise<Sample> {
  const { url, database, watched } = await synchronousPeer(world);
  const load = LOADS[vehicles];
  const { connections } = load;
  const items = scaled(load.items, scale, load.itemsMin);
  const warmUpItems = scaled(load.warmUpItems, scale, load.warmUpItemsMin);
  const measured = { servers: world.servers, database, watched: [watched], bounds };
  return measure(measured, async () => {
    const warming = makeSynchronousRequests(path, vehicles, warmUpItems);
    const requests = makeSynchronousRequests(path, vehicles, items);
    return async (window) => {
      await sendAll({ url, connections, requests: warming, check: requireRegistered });
      await window.begin();
      const { elapsedMs } = await sendAll({ url, connections, requests, check: requireRegistered });
      return { items, elapsedMs, expected: expectAll(warmUpItems + items, vehicles) };
    };
  });
}

export async function synchronousPeer(world: World) {
  const database = await world.database(SYNCHRONOUS_DATABASE);
  await withClient(database.url, 'bench-synchronous', (client) => client.query(SYNCHRONOUS_CLAIMS));
  const { url, watched } = await world.peer('synchronous', {
    database: SYNCHRONOUS_DATABASE,
    shape: 'embedded',
  });
  return { url, watched, database };
}

export function makeSynchronousRequests(path: string, vehicles: number, count: number): Buffer[] {
  return Array.from({ length: count }, () =>
    plainRequest({
      method: 'POST',
      target: path,
      body: Buffer.from(JSON.stringify(makeCertificate(vehicles))),
    }),
  );
}

export function requireRegistered({ status, body }: { status: number; body: Buffer }): void {
  if (status !== 201) throw new Error(`a registration was answered ${status}: ${body.toString()}`);
}
