import { FLAGS_LISTED_MAX } from '../../../../shared/contract/machine/bounds.ts';
import type {
  RecordAmendment,
  RecordDetail,
  RecordFlag,
  RecordTransmission,
  RecordVehicle,
  RecordVersion,
} from '../../../../shared/contract/machine/record.ts';
import { lockRecord } from '../../../../shared/store/registry/current-record.ts';
import {
  findRecordHead,
  readAmendmentPage,
  readFlagPage,
  readTransmissionPage,
  readVehiclePage,
  readVersionPage,
} from '../../../../shared/store/registry/records/record-pages.ts';
import { findRecord } from '../../../../shared/store/registry/records/records.ts';
import { searchRecords } from '../../../../shared/store/registry/search-records.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { countRowsRead } from '../../../env/records/count-rows-read.ts';
import { type HistoryPage, readAs, walkPages } from '../../../env/records/history-pages.ts';
import { growHistory } from '../../../env/records/long-history.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

const VEHICLES = 500;
const VERSIONS = 1_200;
const REMOVED = 6_000;
const RESOLVED = 3_000;

let world: RecordWorld;
let long: Registered;
let other: Registered;
beforeAll(async () => {
  world = await startRecordWorld();
  const vehicles = Array.from({ length: VEHICLES }, () => makeVehicle());
  long = await world.register('alpha', recordBody({ vehicles }));
  other = await world.register('bravo', recordBody({ issuingInsurerCode: 'INS-BRAVO' }));
  await growHistory(world, long.registryReference, {
    versions: VERSIONS,
    removedVehicles: REMOVED,
    resolvedFlags: RESOLVED,
  });
});
afterAll(() => world.stop());

const pathOf = ({ registryReference }: Registered) => `/ppai/policies/${registryReference}`;
const down = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n);

describe('a record of 500 vehicles with years of amendments (D33)', () => {
  it('is read in one answer, with all its current vehicles and the newest of all other entries', async () => {
    const record = await readAs<RecordDetail>(world, 'alpha', pathOf(long));
    const present = record.vehicles.filter((one) => one.removedInVersion === null);
    expect(present).toHaveLength(VEHICLES);
    const removed = record.vehicles.filter((one) => one.removedInVersion !== null);
    expect(removed).toHaveLength(200);
    expect(Math.min(...removed.map((one) => one.removedInVersion ?? 0))).toBeGreaterThan(
      VERSIONS - 200 / Math.floor(REMOVED / (VERSIONS - 1)) - 2,
    );
    expect(record.versions.map(({ version }) => version)).toEqual(down(VERSIONS, 200).reverse());
    expect(record.amendments.map(({ toVersion }) => toVersion)).toEqual(
      down(VERSIONS, 200).reverse(),
    );
    expect(record.amendments.at(-1)?.diff).toEqual([
      { path: 'policy.remarks', before: null, after: 'changed' },
    ]);
    expect(record.openFlagCount).toBe(VEHICLES);
    expect(record.flags.filter(({ status }) => status === 'OPEN')).toHaveLength(FLAGS_LISTED_MAX);
    const { items } = await walkPages<RecordTransmission>(world, `${pathOf(long)}/transmissions`);
    const listed = record.transmissions.length;
    expect(listed).toBeGreaterThan(20);
    expect(record.transmissions).toEqual(items.slice(0, listed).reverse());
  });

  it('has pages with each version, amendment, transmission, vehicle and flag once, the newest first', async () => {
    const path = pathOf(long);
    const versions = await walkPages<RecordVersion>(world, `${path}/versions`);
    expect(versions.items.map(({ version }) => version)).toEqual(down(VERSIONS, VERSIONS));
    const amendments = await walkPages<RecordAmendment>(world, `${path}/amendments`);
    expect(amendments.items.map(({ toVersion }) => toVersion)).toEqual(
      down(VERSIONS, VERSIONS - 1),
    );
    const transmissions = await walkPages<RecordTransmission>(world, `${path}/transmissions`);
    expect(new Set(transmissions.items.map(({ id }) => id)).size).toBe(VERSIONS);
    expect(transmissions.items.at(-1)?.transmissionReference).toBe(long.transmissionReference);
    const vehicles = await walkPages<RecordVehicle>(world, `${path}/vehicles`);
    expect(vehicles.items).toHaveLength(VEHICLES + REMOVED);
    const removed = await walkPages<RecordVehicle>(world, `${path}/vehicles?removed=true`);
    expect(removed.items).toHaveLength(REMOVED);
    const present = await walkPages<RecordVehicle>(world, `${path}/vehicles?removed=false`, 7);
    expect(present.items).toHaveLength(VEHICLES);
    const flags = await walkPages<RecordFlag>(world, `${path}/flags`);
    expect(new Set(flags.items.map(({ id }) => id)).size).toBe(VEHICLES + RESOLVED);
    const open = await walkPages<RecordFlag>(world, `${path}/flags?status=OPEN`);
    expect(
      [versions, amendments, transmissions, vehicles, removed, present, flags, open].map(
        ({ total }) => total,
      ),
    ).toEqual([
      VERSIONS,
      VERSIONS - 1,
      VERSIONS,
      VEHICLES + REMOVED,
      REMOVED,
      VEHICLES,
      VEHICLES + RESOLVED,
      VEHICLES,
    ]);
  });

  it('shows as many snapshots of the newest ten versions as fit, and links to the others', async () => {
    const { items } = await readAs<HistoryPage<RecordVersion>>(
      world,
      'alpha',
      `${pathOf(long)}/versions?limit=20`,
    );
    const complete = items.filter(({ snapshot }) => !('omitted' in snapshot));
    expect(complete.length).toBeGreaterThan(1);
    expect(complete.length).toBeLessThanOrEqual(10);
    expect(complete.map(({ version }) => version)).toEqual(down(VERSIONS, complete.length));
    const left = items.slice(complete.length);
    expect(left.map(({ snapshot }) => snapshot)).toEqual(
      left.map(({ version }) => ({
        omitted: true,
        href: `/api/v1${pathOf(long)}/versions/${version}`,
      })),
    );
    const [first] = left;
    const whole = await readAs<RecordVersion>(
      world,
      'alpha',
      `${pathOf(long)}/versions/${first?.version}`,
    );
    expect(whole).toEqual({ ...first, snapshot: complete[0]?.snapshot });
  });

  it('is read from a number of rows that does not grow with its history', async () => {
    const { databaseUrl } = world.config;
    const { keyring } = world;
    const now = world.clock.now();
    const today = '2026-10-15';
    const insurer = await world.viewer('INS-ALPHA');
    const staff = await world.viewer('REG');
    const head = await findRecordHead(world.db, long.registryReference, staff, now);
    const id = head?.id ?? '';
    const query = { limit: 200, cursor: undefined };
    const criteria = {
      identifiers: [],
      policyNumber: long.body.policy.policyNumber ?? '',
      cocNumber: null,
    };
    const search = {
      criteria,
      status: undefined,
      page: 1,
      pageSize: 25,
      viewer: staff,
      now,
      today,
    };
    const counters = {
      detail: () =>
        countRowsRead(databaseUrl, (db) =>
          findRecord(db, keyring, long.registryReference, insurer, now),
        ),
      search: () => countRowsRead(databaseUrl, (db) => searchRecords(db, keyring, search)),
      versions: () => countRowsRead(databaseUrl, (db) => readVersionPage(db, keyring, id, query)),
      amendments: () =>
        countRowsRead(databaseUrl, (db) => readAmendmentPage(db, keyring, id, query)),
      vehicles: () => countRowsRead(databaseUrl, (db) => readVehiclePage(db, id, query)),
      lock: () =>
        countRowsRead(databaseUrl, (db) =>
          db.$transaction((tx) => lockRecord(tx, keyring, id, { withPolicy: true })),
        ),
    };
    const read: Record<string, number> = {};
    for (const [name, count] of Object.entries(counters)) read[name] = (await count()).rowsRead;
    expect(read).toEqual({
      detail: expect.any(Number),
      search: expect.any(Number),
      versions: expect.any(Number),
      amendments: expect.any(Number),
      vehicles: expect.any(Number),
      lock: expect.any(Number),
    });
    for (const [name, rows] of Object.entries(read)) {
      expect({ name, isBounded: rows < 5_000, rows }).toEqual({ name, isBounded: true, rows });
    }
  });

  it('is read without scanning its transmissions for an organization that may see none of them', async () => {
    await world.db.$executeRaw`
      UPDATE certificates SET transmitting_organization_id = (SELECT id FROM organizations WHERE code = 'MGT-ONE')
      WHERE registry_reference = ${other.registryReference}`;
    const viewer = await world.viewer('MGT-ONE');
    const head = await findRecordHead(
      world.db,
      long.registryReference,
      await world.viewer('REG'),
      world.clock.now(),
    );
    const { value, rowsRead } = await countRowsRead(world.config.databaseUrl, (db) =>
      readTransmissionPage(db, viewer, head?.id ?? '', { limit: 200, cursor: undefined }),
    );
    expect(value.rows).toEqual([]);
    expect(rowsRead).toBeLessThan(100);
    const flags = await countRowsRead(world.config.databaseUrl, (db) =>
      readFlagPage(db, viewer, head?.id ?? '', { limit: 10, cursor: undefined }),
    );
    expect(flags.value.rows).toHaveLength(10);
  });
});
