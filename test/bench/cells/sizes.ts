import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { makeCertificate } from '../load/certificates.ts';
import { RENEWED_DAYS, type Renewal, renewalAt } from '../load/renewals.ts';
import { untilQuiet } from '../measure/processes.ts';
import { type Bounds, type Sample, UNWATCHED } from '../measure/sample.ts';
import { type Registry, SHAPES, type Shape } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import { fillRegistry } from '../synthetic-registry.ts';
import type { World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { measureRegistry, type RegistryLoad } from './registration.ts';

const SMALL = 10_000;
const LARGE = 10_000_000;
const LARGE_QUICK = 1_000_000;
const VEHICLES_PER_CERTIFICATE = 4;
const FLEET_CERTIFICATES = 1_000;
const ITEMS = 1_200;
const ITEMS_MIN = 300;
/** Before those that are measured. */
const WARM_UP_ITEMS = 300;
/** Registered by new processes before anything is measured: what they still compile would be taken for what a registry of this size costs. */
const FIRST_ITEMS = 4_800;
const CONNECTIONS = 16;
/** Of so many certificates one is for a vehicle of the registry, from the end of its cover on. */
const RENEWAL_EVERY = 4;

const REGISTRIES = [
  { name: '10k', vehicles: () => SMALL, prepareSeconds: 2 },
  {
    name: '10m',
    vehicles: ({ isQuick }: Scale) => (isQuick ? LARGE_QUICK : LARGE),
    prepareSeconds: 330,
  },
] as const;

const NEXT_SECOND_MS = 1_100;

/** What a registration costs in a young registry and in a grown one, of processes that stay up. */
export const SIZE_CELLS: readonly Cell[] = SHAPES.flatMap((shape) =>
  REGISTRIES.map(
    ({ name, vehicles, prepareSeconds }): Cell => ({
      name: `registered-${shape}/${name}`,
      group: 'sizes',
      unit: 'certificate of 1 vehicle',
      about: `Signed POSTs, as many as workers take, in a registry of ${name === '10k' ? 'ten thousand' : `ten million (${LARGE_QUICK} in a quick run)`} vehicles that was loaded in bulk; one in ${RENEWAL_EVERY} renews the cover of a registered vehicle.`,
      seconds: 14,
      warmsUpItself: true,
      prepareSeconds: shape === 'embedded' ? prepareSeconds : 0,
      prepare: async (world, scale) => void (await openRegistry(world, name, vehicles(scale))),
      measure: (world, scale, bounds) =>
        measureSize(world, shape, name, vehicles(scale), scale, bounds),
    }),
  ),
);

async function measureSize(
  world: World,
  shape: Shape,
  name: string,
  vehicles: number,
  scale: Scale,
  bounds: Bounds,
): Promise<Sample> {
  const servers = await world.largeServers();
  const database = await openRegistry(world, name, vehicles);
  const load = (items: number): RegistryLoad => ({
    vehicles: 1,
    items: scaled(items, scale, ITEMS_MIN),
    warmUpItems: scaled(WARM_UP_ITEMS, scale),
    connections: CONNECTIONS,
    makeBody: makeMixed(database, vehicles),
  });
  const registry = await processesOn(world, database, shape, async (fresh) => {
    const within = { servers, bounds: UNWATCHED };
    const { faults } = await measureRegistry(within, fresh, load(FIRST_ITEMS));
    if (faults.length > 0) throw new Error(faults.join('; '));
  });
  const sample = await measureRegistry({ servers, bounds }, registry, load(ITEMS));
  return { ...sample, figures: { ...sample.figures, vehicles } };
}

const up = new WeakMap<BenchDatabase, Registry>();

/**
 * Those that are up, of one shape at a time: the other's have this database's nonces elsewhere (D19), and its workers would take
 * what these are to register.
 */
async function processesOn(
  world: World,
  database: BenchDatabase,
  shape: Shape,
  warm: (fresh: Registry) => Promise<void>,
): Promise<Registry> {
  const known = up.get(database);
  if (known?.shape === shape) return known;
  up.delete(database);
  await known?.stop();
  const fresh = await world.start({ shape, database, servers: await world.largeServers() });
  await untilQuiet(fresh.watched);
  // What is signed in the second of the change is refused (D19).
  await sleep(NEXT_SECOND_MS);
  await warm(fresh).catch(async (error: unknown) => {
    await fresh.stop();
    throw error;
  });
  up.set(database, fresh);
  return fresh;
}

/** Filled when it is asked for first. */
function openRegistry(world: World, name: string, vehicles: number): Promise<BenchDatabase> {
  return world.largeDatabase(`bench_${name}`, async ({ url, config }) => {
    const id = randomUUID();
    const operator = JSON.stringify(readSubmission(makeBody()).operator);
    const sealed = makeKeyring(config.encryptionKeys).seal(operator, id);
    await fillRegistry(
      url,
      {
        vehicles,
        vehiclesPerCertificate: VEHICLES_PER_CERTIFICATE,
        periods: 1,
        fleetCertificates: Math.min(FLEET_CERTIFICATES, vehicles / 100),
        today: today(),
      },
      { id, sealed },
    );
  });
}

const made = new WeakMap<BenchDatabase, number>();

function makeMixed(database: BenchDatabase, vehicles: number): () => TransmissionBody {
  return () => {
    const count = (made.get(database) ?? 0) + 1;
    made.set(database, count);
    if (count % RENEWAL_EVERY !== 0) return makeCertificate(1);
    return makeRenewal(renewalAt(count / RENEWAL_EVERY, vehicles));
  };
}

/** The next cover of a vehicle of {@link fillRegistry}. */
function makeRenewal({ vehicle, inDays }: Renewal): TransmissionBody {
  const effectiveDate = addDays(today(), inDays);
  return makeBody({
    certificate: { effectiveDate, expirationDate: addDays(effectiveDate, RENEWED_DAYS - 1) },
    vehicles: [
      makePlainVehicle({
        plateNumber: `P${vehicle}`,
        mvFileNumber: `MF${vehicle}`,
        engineNumber: `EN${vehicle}`,
        chassisNumber: `CH${vehicle}`,
      }),
    ],
  });
}
