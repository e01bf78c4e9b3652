import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { CoverageResult } from '../../../shared/contract/machine/coverage.ts';
import { makePlainVehicle, uniqueNumber } from '../../env/api/bodies.ts';
import type { SignedRequest } from '../../env/api/signed-request.ts';
import { type RecordWorld, recordBody, startRecordWorld } from '../../env/records/record-world.ts';
import {
  type ClientName,
  essenceOf,
  lookUps,
  makeAbsent,
  makeOwned,
  OWNERSHIPS,
  type Ownership,
  pairsWhere,
  type References,
  requestsAboutRecords,
} from './owned-records.ts';

let world: RecordWorld;
const owned = new Map<Ownership, References>();
const absent = makeAbsent();
beforeAll(async () => {
  world = await startRecordWorld();
  for (const ownership of Object.values(OWNERSHIPS))
    owned.set(ownership, await makeOwned(world, ownership));
});
afterAll(() => world.stop());

function ownedBy(ownership: Ownership): References {
  const references = owned.get(ownership);
  if (references === undefined) throw new Error(`${ownership.transmitter} has no record`);
  return references;
}

const expectedOf = new Map<string, Promise<ReturnType<typeof essenceOf>>>();

/** Each request is answered like the same one about what does not exist; all of them at once. */
function expectLikeAbsent(
  client: ClientName,
  requests: readonly SignedRequest[],
  aboutNothing: readonly SignedRequest[],
): Promise<number[]> {
  return Promise.all(
    requests.map(async (request, index) => {
      const other = aboutNothing[index];
      if (other === undefined) throw new Error(`${request.path} has no counterpart`);
      const key = `${client} ${JSON.stringify(other)}`;
      const expected = expectedOf.get(key) ?? world.send(client, other).then(essenceOf);
      expectedOf.set(key, expected);
      const told = essenceOf(await world.send(client, request));
      expect({ path: request.path, ...told }).toEqual({ path: request.path, ...(await expected) });
      return told.status;
    }),
  );
}

const aboutNothing = requestsAboutRecords(absent);

const LOOKED_UP_BY = [
  [
    'reference',
    ({ transmissions }: References) => transmissions,
    ({ readers }: Ownership) => readers,
  ],
  [
    'external id',
    ({ externalIds }: References) => externalIds,
    ({ transmitter }: Ownership) => [transmitter],
  ],
] as const;

describe('of records that one may not see one is told what one is told of nothing (D23)', () => {
  it.each(pairsWhere(({ seers }, client) => !seers.includes(client)))(
    '%s about those of %s',
    async (client, _name, ownership) => {
      const requests = requestsAboutRecords(ownedBy(ownership));
      const before = await world.db.transmission.count();
      const statuses = await expectLikeAbsent(client, requests, aboutNothing);
      expect(new Set(statuses)).toEqual(new Set([200, 404, 422]));
      expect(await world.db.transmission.count()).toBe(before);
    },
  );

  describe.each(LOOKED_UP_BY)('by %s (D4)', (_what, namesOf, readersOf) => {
    it.each(pairsWhere((ownership, client) => !readersOf(ownership).includes(client)))(
      '%s about the transmissions of %s',
      async (client, _name, ownership) => {
        const told = await expectLikeAbsent(
          client,
          lookUps(namesOf(ownedBy(ownership))),
          lookUps(namesOf(absent)),
        );
        expect(told).toEqual([404, 404, 404]);
      },
    );
  });
});

describe('the comparison can fail', () => {
  it.each(Object.entries(OWNERSHIPS))(
    'who may see those of %s is told more',
    async (_name, ownership) => {
      const { records, transmissions, externalIds, policyNumber } = ownedBy(ownership);
      for (const client of ownership.seers) {
        for (const record of records)
          expect((await world.get(client, `/ppai/policies/${record}`)).status).toBe(200);
        const { envelope } = await world.get(
          client,
          `/ppai/policies/search?policyNumber=${policyNumber}`,
        );
        expect(envelope.data?.['total']).toBe(1);
      }
      for (const client of ownership.readers) {
        for (const { path } of lookUps(transmissions))
          expect((await world.get(client, path)).status).toBe(200);
      }
      for (const { path } of lookUps(externalIds))
        expect((await world.get(ownership.transmitter, path)).status).toBe(200);
    },
  );

  it.each(['verifier', 'alpha-read-only'] as const)(
    'who sees a record without authority for it is told so: %s (D14)',
    async (client) => {
      const ownership = OWNERSHIPS['bravo in its pool'];
      if (ownership === undefined) throw new Error('no such ownership');
      const changes = requestsAboutRecords(ownedBy(ownership)).filter(
        ({ body }) => body !== undefined,
      );
      const answers = await Promise.all(changes.map((request) => world.send(client, request)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 422]));
    },
  );
});

describe('a coverage check (D17)', () => {
  const strangers = pairsWhere(({ seers }, client) => !seers.includes(client));
  const isActive = (client: string) => client !== 'dormant';

  it.each(strangers.filter(([client]) => !isActive(client)))(
    'tells %s, whose organization is not active (D34), nothing of %s',
    async (client, _name, ownership) => {
      const { vehicle } = ownedBy(ownership);
      for (const kind of IDENTIFIER_KINDS) {
        const path = `/ppai/vehicles/${vehicle[kind]}/coverage`;
        const { status, envelope } = await world.get(client, path);
        expect({ status, data: envelope.data }).toEqual({ status: 403, data: null });
      }
    },
  );

  it.each(strangers.filter(([client]) => isActive(client)))(
    'tells %s who covers the vehicle of %s, and nothing of the record',
    async (client, _name, ownership) => {
      const references = ownedBy(ownership);
      const { vehicle, newPlate, records, policyNumber, cocNumber, transmissions, externalIds } =
        references;
      const [record] = records;
      const paths = [...IDENTIFIER_KINDS.map((kind) => vehicle[kind]), newPlate].flatMap(
        (identifier) =>
          ['', '?asOf=2026-12-31', '?asOf=2026-09-15', '?asOf=2028-01-01'].map(
            (asOf) => `/ppai/vehicles/${identifier}/coverage${asOf}`,
          ),
      );
      const looks = await Promise.all(
        paths.map((path) =>
          Promise.all([world.get(ownership.transmitter, path), world.get(client, path)]),
        ),
      );
      for (const [theirs, told] of looks) {
        const full = theirs.envelope.data as unknown as CoverageResult;
        const hidden = (span: CoverageResult['coverage']) =>
          span && { ...span, registryReference: null };
        expect(told.envelope.data).toEqual({
          ...full,
          coverage: hidden(full.coverage),
          next: hidden(full.next),
        });
        const named = [full.coverage, full.next].filter((span) => span !== null);
        for (const span of named) expect(span.registryReference).toBe(record);
        for (const secret of [
          ...records,
          policyNumber,
          cocNumber,
          ...transmissions,
          ...externalIds,
          'Santos',
        ])
          expect(told.text).not.toContain(secret);
      }
    },
  );
});

describe('a transmission', () => {
  /** None of these has authority for the insurer: alpha and mgt-one have it for the pool's (api.md, "Machine API", 8). */
  const unauthorized = pairsWhere(
    ({ seers, insurer }, client) =>
      !seers.includes(client) &&
      !(insurer !== 'INS-CHARLIE' && ['alpha', 'mgt-one'].includes(client)),
  );

  it.each(unauthorized)(
    'of %s under numbers, references and ids of %s is refused as one under numbers of its own',
    async (client, _name, ownership) => {
      const { policyNumber, cocNumber, externalIds } = ownedBy(ownership);
      const findingsOf = async (policy: string, coc: string, externalTransactionId: string) => {
        const { status, envelope } = await world.send(client, {
          path: '/ppai/policies',
          body: recordBody({
            externalTransactionId,
            issuingInsurerCode: ownership.insurer,
            policy: { policyNumber: policy },
            certificate: { cocNumber: coc },
            vehicles: [makePlainVehicle()],
          }),
        });
        return { status, code: envelope.error?.code, details: envelope.error?.details };
      };
      const own = await findingsOf(uniqueNumber('POL'), uniqueNumber('COC'), uniqueNumber('EXT'));
      expect(own.code).toBe('VALIDATION_FAILED');
      const [externalId = ''] = externalIds;
      expect(await findingsOf(policyNumber, cocNumber, externalId)).toEqual(own);
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
      const { vehicle, records, policyNumber, cocNumber, transmissions, externalIds } =
        ownedBy(ownership);
      const { status, envelope, text } = await world.send(client, {
        path: '/ppai/policies',
        body: recordBody({
          issuingInsurerCode: `INS-${client.toUpperCase()}`,
          vehicles: [vehicle],
        }),
      });
      expect({ status, code: envelope.error?.code }).toEqual({
        status: 422,
        code: 'VEHICLE_ALREADY_INSURED',
      });
      expect(text).toContain('until 2027-09-30');
      for (const secret of [
        ...records,
        policyNumber,
        cocNumber,
        ...transmissions,
        ...externalIds,
        'Santos',
      ])
        expect(text).not.toContain(secret);
    },
  );
});
