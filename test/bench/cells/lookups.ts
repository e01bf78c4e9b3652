import { makeCertificate } from '../load/certificates.ts';
import { makeSigner, plainRequest } from '../load/requests.ts';
import { sendAll } from '../load/send-all.ts';
import { type Measured, measure, type Sample } from '../measure/sample.ts';
import { SHAPES, type Shape } from '../processes.ts';
import { oncePerShape, registryDatabase } from '../world.ts';
import { type Cell, scaled } from './cell.ts';
import { requireAccepted } from './registration.ts';

const ITEMS = 3_000;
const ITEMS_MIN = 500;
const CONNECTIONS = 16;
/** Records that are looked up in turn. */
const RECORDS = 50;
/** Each of a shape's look-ups is compared with the bare gate. */
const BESIDE_GATE = 'look-ups and gate';
const HELLO_DATABASE = 'bench_limit';

export const LOOKUP_CELLS: readonly Cell[] = SHAPES.flatMap((shape): Cell[] => [
  lookup(
    `polls-${shape}`,
    shape,
    'Signed GETs of terminal transmissions.',
    ({ reference }) => `/ppai/transmissions/${reference}`,
  ),
  lookup(
    `coverage-${shape}`,
    shape,
    'Signed coverage checks by plate number.',
    ({ plate }) => `/ppai/vehicles/${plate}/coverage`,
  ),
  {
    name: `gate-${shape}`,
    group: BESIDE_GATE,
    unit: 'GET',
    seconds: 3,
    about:
      'A bare Express behind the same gate (token, signature, nonce, limit) that answers from memory; no log, no metrics.',
    measure: async (world, scale, bounds) => {
      const { url } = await world.registry(shape);
      const database = await world.database(registryDatabase(shape));
      const peer = await world.peer('gate', { database: database.name, shape });
      const signer = await makeSigner(url, database.client);
      const { servers } = world;
      const measured = { servers, database, watched: [peer.watched], bounds };
      return measureGets(measured, peer.url, () =>
        Array.from({ length: scaled(ITEMS, scale, ITEMS_MIN) }, () =>
          signer.sign({ method: 'GET', path: '/gated' }),
        ),
      );
    },
  },
]);

export const HELLO_CELL: Cell = {
  name: 'hello',
  unit: 'GET',
  seconds: 3,
  about: 'A bare Express that says hello.',
  measure: async (world, scale, bounds) => {
    const database = await world.database(HELLO_DATABASE);
    const peer = await world.peer('hello', { database: HELLO_DATABASE, shape: 'embedded' });
    const request = plainRequest({ method: 'GET', target: '/hello' });
    const requests = Array.from({ length: scaled(ITEMS, scale, ITEMS_MIN) }, () => request);
    const { servers } = world;
    const measured = { servers, database, watched: [peer.watched], bounds };
    return measureGets(measured, peer.url, () => requests);
  },
};

interface KnownRecord {
  readonly reference: string;
  readonly plate: string;
}

function lookup(
  name: string,
  shape: Shape,
  about: string,
  pathOf: (record: KnownRecord) => string,
): Cell {
  return {
    name,
    group: BESIDE_GATE,
    unit: 'GET',
    seconds: 3,
    about,
    measure: async (world, scale, bounds) => {
      const { url, database, watched } = await world.registry(shape);
      const signer = await makeSigner(url, database.client);
      const records = await recordsOf(world, shape);
      const { servers } = world;
      return measureGets({ servers, database, watched, bounds }, url, () =>
        Array.from({ length: scaled(ITEMS, scale, ITEMS_MIN) }, (_, index) =>
          signer.sign({
            method: 'GET',
            path: pathOf(records[index % records.length] ?? { reference: '', plate: '' }),
          }),
        ),
      );
    },
  };
}

function measureGets(
  measured: Measured,
  url: string,
  makeRequests: () => readonly Buffer[],
): Promise<Sample> {
  return measure(measured, async () => {
    const requests = makeRequests();
    return async () => {
      const { elapsedMs } = await sendAll({
        url,
        connections: CONNECTIONS,
        requests,
        check: ({ status, body }) => {
          if (status !== 200) throw new Error(`a GET was answered ${status}: ${body.toString()}`);
        },
      });
      return { items: requests.length, elapsedMs };
    };
  });
}

/** Registered once a run and shape. */
const recordsOf = oncePerShape(async (world, shape): Promise<readonly KnownRecord[]> => {
  const { url, database } = await world.registry(shape);
  const signer = await makeSigner(url, database.client);
  const records: KnownRecord[] = [];
  await sendAll({
    url,
    connections: CONNECTIONS,
    requests: Array.from({ length: RECORDS }, () =>
      signer.sign({
        method: 'POST',
        path: '/ppai/policies',
        body: Buffer.from(JSON.stringify(makeCertificate(1))),
      }),
    ),
    check: (answer) => {
      requireAccepted(answer);
      const { data } = JSON.parse(answer.body.toString()) as {
        data: { transmissionReference: string; plateNumber: string };
      };
      records.push({ reference: data.transmissionReference, plate: data.plateNumber });
    },
  });
  return records;
});
