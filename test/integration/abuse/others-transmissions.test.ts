import type { TransmissionPage } from '../../../shared/contract/machine/transmissions/list.ts';
import { makePlainVehicle, uniqueNumber } from '../../env/api/bodies.ts';
import { cursorOf, readFeed } from '../../env/feed/feed-reader.ts';
import { type RecordWorld, recordBody, startRecordWorld } from '../../env/records/record-world.ts';
import {
  CLIENTS,
  type ClientName,
  essenceOf,
  makeOwned,
  OWNERSHIPS,
  type Ownership,
  pairsWhere,
  type References,
} from './owned-records.ts';

// Nobody learns of another organization's transmissions through list, batch, lookup, change feed and dry run (D35 to D38).

interface Owned extends References {
  readonly batch: string;
}

let world: RecordWorld;
const owned = new Map<Ownership, Owned>();
beforeAll(async () => {
  world = await startRecordWorld();
  for (const ownership of Object.values(OWNERSHIPS)) {
    const { transmitter, insurer } = ownership;
    const batch = uniqueNumber('BATCH');
    const body = recordBody({ issuingInsurerCode: insurer });
    const path = `/ppai/policies?batch=${batch}`;
    expect((await world.send(transmitter, { path, body })).status).toBe(201);
    owned.set(ownership, { ...(await makeOwned(world, ownership)), batch });
  }
});
afterAll(() => world.stop());

function ownedBy(ownership: Ownership): Owned {
  const references = owned.get(ownership);
  if (references === undefined) throw new Error(`${ownership.transmitter} has no record`);
  return references;
}

/** Everything that names the records and transmissions. */
const namesOf = (references: References): string[] => [
  ...references.records,
  ...references.transmissions,
  ...references.externalIds,
  references.policyNumber,
  references.cocNumber,
];

/** A whole value of a JSON text: the name may also be the beginning of a longer one. */
const quoted = (name: string) => `"${name}"`;

async function readList(client: ClientName, query: string): Promise<TransmissionPage> {
  const { status, envelope, text } = await world.get(client, `/ppai/transmissions?${query}`);
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as TransmissionPage;
}

async function lookUp(client: ClientName, body: object): Promise<unknown> {
  const { envelope } = await world.send(client, { path: '/ppai/transmissions/lookup', body });
  return envelope.data?.['items'];
}

describe('own transmissions', () => {
  it.each(pairsWhere(({ transmitter }, client) => client !== transmitter))(
    '%s learns nothing of those of %s',
    async (client, _name, ownership) => {
      const references = ownedBy(ownership);
      const { batch, externalIds, transmissions } = references;
      const page = await readList(client, 'limit=500');
      expect(page.nextCursor).toBeNull();
      for (const name of [...namesOf(references), batch])
        expect(JSON.stringify(page)).not.toContain(quoted(name));
      expect(await readList(client, `batch=${batch}`)).toEqual({ items: [], nextCursor: null });

      const told = await world.get(client, `/ppai/batches/${batch}`);
      const absent = await world.get(client, `/ppai/batches/${uniqueNumber('BATCH')}`);
      expect(essenceOf(told)).toEqual(essenceOf(absent));
      expect(told.status).toBe(404);

      const missing = { found: false, transmission: null };
      expect(await lookUp(client, { externalTransactionIds: externalIds })).toEqual(
        externalIds.map((externalTransactionId) => ({ externalTransactionId, ...missing })),
      );
      expect(await lookUp(client, { transmissionReferences: transmissions })).toEqual(
        transmissions.map((transmissionReference) => ({ transmissionReference, ...missing })),
      );
    },
  );

  it.each(Object.entries(OWNERSHIPS))('are shown to their sender: %s', async (_name, ownership) => {
    const { transmitter } = ownership;
    const { batch, externalIds, transmissions } = ownedBy(ownership);
    const listed = (await readList(transmitter, 'limit=500')).items;
    const ids = listed.map(({ externalTransactionId }) => externalTransactionId);
    expect(ids).toEqual(expect.arrayContaining([...externalIds]));
    expect((await readList(transmitter, `batch=${batch}`)).items).toHaveLength(1);
    const { envelope } = await world.get(transmitter, `/ppai/batches/${batch}`);
    expect(envelope.data).toMatchObject({ batch, total: 1 });
    const found = [{ found: true }, { found: true }, { found: true }];
    expect(await lookUp(transmitter, { externalTransactionIds: externalIds })).toMatchObject(found);
    expect(await lookUp(transmitter, { transmissionReferences: transmissions })).toMatchObject(
      found,
    );
  });

  it.each(['alpha', 'bravo', 'charlie', 'mgt-one'] as const)(
    'a cursor of %s is refused to everybody else',
    async (transmitter) => {
      const { nextCursor } = await readList(transmitter, 'limit=1');
      for (const client of CLIENTS.filter((one) => one !== transmitter)) {
        const path = `/ppai/transmissions?limit=1&cursor=${nextCursor}`;
        const { status, envelope } = await world.get(client, path);
        expect({ client, status, details: envelope.error?.details }).toMatchObject({
          client,
          status: 422,
          details: [{ code: 'INVALID_FORMAT', field: 'cursor' }],
        });
      }
    },
  );
});

describe('the change feed', () => {
  const feeds = new Map<ClientName, Promise<string>>();
  /** A client's feed from its beginning, with the records, as one text. */
  const feedOf = (client: ClientName): Promise<string> => {
    const query = 'include=record&limit=500';
    const feed = feeds.get(client) ?? readFeed(world, client, { query }).then(JSON.stringify);
    feeds.set(client, feed);
    return feed;
  };

  it.each(pairsWhere(({ seers }, client) => !seers.includes(client)))(
    'tells %s nothing of the records of %s',
    async (client, _name, ownership) => {
      const feed = await feedOf(client);
      for (const name of namesOf(ownedBy(ownership))) expect(feed).not.toContain(quoted(name));
    },
  );

  it.each(pairsWhere(({ seers }, client) => seers.includes(client)))(
    'tells %s of the records of %s, and only their sender its ids',
    async (client, _name, ownership) => {
      const feed = await feedOf(client);
      const { records, transmissions, externalIds } = ownedBy(ownership);
      for (const name of [...records, ...transmissions]) expect(feed).toContain(quoted(name));
      const isSender = client === ownership.transmitter;
      for (const id of externalIds) expect(feed.includes(quoted(id))).toBe(isSender);
    },
  );

  it.each(CLIENTS)('refuses a cursor of %s to everybody else', async (owner) => {
    const after = await cursorOf(world, owner);
    for (const client of CLIENTS.filter((one) => one !== owner)) {
      const { status, envelope } = await world.get(client, `/ppai/changes?after=${after}`);
      expect({ client, status, details: envelope.error?.details }).toMatchObject({
        client,
        status: 422,
        details: [{ code: 'CURSOR_UNKNOWN', field: 'after' }],
      });
    }
  });
});

describe('a dry run', () => {
  const dryRun = (client: ClientName, body: object) =>
    world.send(client, { path: '/ppai/policies/validation', body });

  /** None of these has authority for the insurer: alpha and mgt-one have it for the pool's (api.md, "Machine API", 8). */
  const unauthorized = pairsWhere(
    ({ seers, insurer }, client) =>
      !seers.includes(client) &&
      !(insurer !== 'INS-CHARLIE' && ['alpha', 'mgt-one'].includes(client)),
  );

  it.each(unauthorized)(
    'of %s under numbers and ids of %s answers as one under numbers of its own',
    async (client, _name, ownership) => {
      const { policyNumber, cocNumber, externalIds } = ownedBy(ownership);
      const [externalId = ''] = externalIds;
      const vehicles = [makePlainVehicle()];
      const answerTo = async (policy: string, coc: string, externalTransactionId: string) => {
        const body = recordBody({
          externalTransactionId,
          issuingInsurerCode: ownership.insurer,
          policy: { policyNumber: policy },
          certificate: { cocNumber: coc },
          vehicles,
        });
        return essenceOf(await dryRun(client, body));
      };
      const own = await answerTo(uniqueNumber('POL'), uniqueNumber('COC'), uniqueNumber('EXT'));
      expect(own).toMatchObject({ status: 200, data: { outcome: 'REJECTED' } });
      expect(await answerTo(policyNumber, cocNumber, externalId)).toEqual(own);
    },
  );

  it.each(
    pairsWhere(
      ({ seers }, client) =>
        !seers.includes(client) && ['alpha', 'bravo', 'charlie'].includes(client),
    ),
  )(
    'of %s for a vehicle of %s learns the insurer and the last day, and nothing else',
    async (client, _name, ownership) => {
      const references = ownedBy(ownership);
      const { envelope, text } = await dryRun(
        client,
        recordBody({
          issuingInsurerCode: `INS-${client.toUpperCase()}`,
          vehicles: [references.vehicle],
        }),
      );
      expect(envelope.data).toMatchObject({
        outcome: 'REJECTED',
        errorCode: 'VEHICLE_ALREADY_INSURED',
      });
      expect(text).toContain('until 2027-09-30');
      for (const name of [...namesOf(references), 'Santos']) expect(text).not.toContain(name);
    },
  );
});
