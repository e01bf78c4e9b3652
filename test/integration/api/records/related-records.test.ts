import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import type { VehicleBody } from '../../../../shared/contract/machine/transmission.ts';
import { makePlainVehicle, makeVehicle, uniqueNumber } from '../../../env/api/bodies.ts';
import {
  type RecordWorld,
  type Registered,
  readRecordOf,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

// The record that a flag is related to (D10, D23), in records and acknowledgments. POOL-NORTH is managed by MGT-ONE.

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const PAST = { effectiveDate: '2026-01-01', expirationDate: '2026-03-31' };
const LATER = { effectiveDate: '2026-04-01', expirationDate: '2026-06-30' };

interface Options {
  readonly certificate?: { readonly effectiveDate: string; readonly expirationDate: string };
  readonly poolCode?: string;
}
const bodyOf = (insurer: string, vehicles: VehicleBody[], options: Options = {}) =>
  recordBody({ issuingInsurerCode: `INS-${insurer}`, vehicles, ...options });

const flagsOf = async (client: string, record: Registered) =>
  (await readRecordOf(world, client, record)).flags.map((flag) => ({
    type: flag.type,
    reference: flag.relatedRegistryReference,
    id: flag.relatedCertificateId,
    insurer: flag.relatedInsurerName,
  }));

async function lookUp(client: string, name: string): Promise<Acknowledgment> {
  const { status, envelope } = await world.get(client, `/ppai/transmissions/${name}`);
  expect(status).toBe(200);
  return envelope.data as unknown as Acknowledgment;
}
const referencesIn = ({ flags }: Acknowledgment) =>
  flags.map(({ relatedRegistryReference }) => relatedRegistryReference);

/** Makes a body of BRAVO's for a vehicle with the plate of a vehicle that ALPHA registered. */
async function makeConflict(poolCode?: string) {
  const [ours, theirs] = [makePlainVehicle(), makePlainVehicle()];
  const inPool = poolCode === undefined ? {} : { poolCode };
  await world.register('alpha', bodyOf('ALPHA', [ours], { certificate: PAST }));
  const related = await world.register(
    'alpha',
    bodyOf('ALPHA', [ours], { certificate: LATER, ...inPool }),
  );
  await world.register('bravo', bodyOf('BRAVO', [theirs], { certificate: PAST }));
  const body = bodyOf('BRAVO', [{ ...theirs, plateNumber: ours.plateNumber }]);
  return { body, related, ours, theirs };
}

describe('an IDENTIFIER_CONFLICT flag', () => {
  it('names the latest record of the other vehicle, even if expired or cancelled, to organizations that see it', async () => {
    const { body, related } = await makeConflict();
    await world.cancel('alpha', related, '2026-10-15');
    const made = await world.register('bravo', body);
    const { id } = await readRecordOf(world, 'alpha', related);
    expect(await flagsOf('verifier', made)).toEqual([
      {
        type: 'IDENTIFIER_CONFLICT',
        reference: related.registryReference,
        id,
        insurer: 'Alpha Insurance',
      },
    ]);
    expect(await flagsOf('bravo', made)).toEqual([
      { type: 'IDENTIFIER_CONFLICT', reference: null, id: null, insurer: 'Alpha Insurance' },
    ]);
  });

  it('names the other record in every acknowledgment, first or replayed, to readers that see it', async () => {
    const { body, related } = await makeConflict('POOL-NORTH');
    // The management company of the pool transmits for BRAVO, and sees the record of ALPHA in the pool.
    const sent = { ...body, poolCode: 'POOL-NORTH' };
    const first = await world.send('mgt-one', { path: '/ppai/policies', body: sent });
    expect(first.status).toBe(201);
    const acknowledgment = first.envelope.data as unknown as Acknowledgment;
    expect(referencesIn(acknowledgment)).toEqual([related.registryReference]);
    const again = await world.send('mgt-one', { path: '/ppai/policies', body: sent });
    expect(again.envelope.data).toEqual({ ...acknowledgment, replayed: true });
    const name = acknowledgment.transmissionReference;
    for (const client of ['mgt-one', 'verifier', 'mgt-one'])
      expect(await lookUp(client, name)).toEqual(acknowledgment);
    // The insurer may look the transmission up as well, but does not see the other record.
    const hidden = await lookUp('bravo', name);
    expect(referencesIn(hidden)).toEqual([null]);
    expect(JSON.stringify(hidden)).not.toContain(related.registryReference);
    expect({ ...hidden, flags: [] }).toEqual({ ...acknowledgment, flags: [] });
  });

  it('names the other record in no answer to an organization that does not see it', async () => {
    const { body, related } = await makeConflict();
    const texts: string[] = [];
    for (const prefer of ['wait=10', 'respond-async', 'wait=10']) {
      const answer = await world.send('bravo', {
        path: '/ppai/policies',
        body,
        headers: { Prefer: prefer },
      });
      texts.push(answer.text);
    }
    const found = await world.get('bravo', `/ppai/transmissions/${body.externalTransactionId}`);
    expect(found.envelope.data).toMatchObject({ status: 'FLAGGED' });
    texts.push(found.text);
    for (const text of texts) expect(text).not.toContain(related.registryReference);
  });

  it('follows the current visibility of the other record, not the visibility at the first lookup', async () => {
    const { body, related } = await makeConflict('POOL-NORTH');
    const { transmissionReference } = await world.register('mgt-one', {
      ...body,
      poolCode: 'POOL-NORTH',
    });
    const readReferences = async () => referencesIn(await lookUp('mgt-one', transmissionReference));
    expect(await readReferences()).toEqual([related.registryReference]);
    const manage = (code: string | null) => world.db.$executeRaw`
      UPDATE insurance_pools SET management_company_id = (SELECT id FROM organizations WHERE code = ${code})
      WHERE organization_id = (SELECT id FROM organizations WHERE code = 'POOL-NORTH')`;
    await manage(null);
    expect(await readReferences()).toEqual([null]);
    await manage('MGT-ONE');
    expect(await readReferences()).toEqual([related.registryReference]);
  });

  it('names a record other than the amended one', async () => {
    const { body, related, ours, theirs } = await makeConflict();
    const made = await world.register('bravo', { ...body, vehicles: [theirs] });
    const { plateNumber } = ours;
    const amended = await world.amend('bravo', made.registryReference, {
      vehicles: { update: [{ match: { plateNumber: theirs.plateNumber }, set: { plateNumber } }] },
    });
    expect(amended.flags).toMatchObject([{ type: 'IDENTIFIER_CONFLICT' }]);
    expect(await flagsOf('verifier', made)).toMatchObject([
      { reference: related.registryReference },
    ]);
    // A vehicle gets the former plate of another one on the same record. No other record has that vehicle.
    const [first, second] = [makePlainVehicle(), makePlainVehicle()];
    const own = await world.register('bravo', bodyOf('BRAVO', [first]));
    await world.amend('bravo', own.registryReference, {
      vehicles: {
        update: [
          { match: { plateNumber: first.plateNumber }, set: { plateNumber: uniquePlate() } },
        ],
        add: [{ ...second, plateNumber: first.plateNumber }],
      },
    });
    expect(await flagsOf('verifier', own)).toMatchObject([
      { type: 'IDENTIFIER_CONFLICT', reference: null, id: null, insurer: null },
    ]);
  });

  it('names the record of the vehicle with the most specific identifier if several vehicles conflict', async () => {
    const [one, two, three] = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
    const registered: Registered[] = [];
    for (const vehicle of [one, two, three])
      registered.push(
        await world.register('alpha', bodyOf('ALPHA', [vehicle], { certificate: PAST })),
      );
    const mixed = {
      ...one,
      engineNumber: two.engineNumber,
      plateNumber: three.plateNumber,
    };
    const made = await world.register('alpha', bodyOf('ALPHA', [mixed]));
    expect(await flagsOf('alpha', made)).toMatchObject([
      { reference: registered[1]?.registryReference, insurer: 'Alpha Insurance' },
    ]);
  });
});

it('a flag of another type names no other record', async () => {
  const made = await world.register('alpha', bodyOf('ALPHA', [makeVehicle()]));
  expect(await flagsOf('verifier', made)).toEqual([
    { type: 'VEHICLE_MISMATCH', reference: null, id: null, insurer: null },
  ]);
});

const uniquePlate = () => `P${uniqueNumber('1').replace(/\D/g, '').slice(-8)}`;
