import { ANSWER_BYTES_MAX, FLAGS_LISTED_MAX } from '../../../../shared/contract/machine/bounds.ts';
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
import { makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { growHistory } from '../../../env/records/long-history.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';
import { countingRows } from '../../../env/records/rows-read.ts';

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

async function read<Data>(client: string, path: string): Promise<Data> {
  const answer = await world.get(client, path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
  return answer.envelope.data as unknown as Data;
}

interface HistoryPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** Every item of a list, in its order. */
async function walk<Item>(path: string, limit = 200): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  let total = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const separator = path.includes('?') ? '&' : '?';
    const page: HistoryPage<Item> = await read('alpha', `${path}${separator}limit=${limit}${next}`);
    items.push(...page.items);
    ({ total, nextCursor: cursor } = page);
    expect({ path, isEndless: items.length > total }).toEqual({ path, isEndless: false });
  }
  return { items, total };
}

const pathOf = ({ registryReference }: Registered) => `/ppai/policies/${registryReference}`;
const down = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n);

describe('a record of 500 vehicles with years of amendments (D33)', () => {
  it('is read in one answer, with all vehicles in force and the newest of everything else', async () => {
    const record = await read<RecordDetail>('alpha', pathOf(long));
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
    const { items } = await walk<RecordTransmission>(`${pathOf(long)}/transmissions`);
    const listed = record.transmissions.length;
    expect(listed).toBeGreaterThan(20);
    expect(record.transmissions).toEqual(items.slice(0, listed).reverse());
  });

  it('is paged, each version, amendment, transmission, vehicle and flag once and the newest first', async () => {
    const path = pathOf(long);
    const versions = await walk<RecordVersion>(`${path}/versions`);
    expect(versions.items.map(({ version }) => version)).toEqual(down(VERSIONS, VERSIONS));
    const amendments = await walk<RecordAmendment>(`${path}/amendments`);
    expect(amendments.items.map(({ toVersion }) => toVersion)).toEqual(
      down(VERSIONS, VERSIONS - 1),
    );
    const transmissions = await walk<RecordTransmission>(`${path}/transmissions`);
    expect(new Set(transmissions.items.map(({ id }) => id)).size).toBe(VERSIONS);
    expect(transmissions.items.at(-1)?.transmissionReference).toBe(long.transmissionReference);
    const vehicles = await walk<RecordVehicle>(`${path}/vehicles`);
    expect(vehicles.items).toHaveLength(VEHICLES + REMOVED);
    const removed = await walk<RecordVehicle>(`${path}/vehicles?removed=true`);
    expect(removed.items).toHaveLength(REMOVED);
    const present = await walk<RecordVehicle>(`${path}/vehicles?removed=false`, 7);
    expect(present.items).toHaveLength(VEHICLES);
    const flags = await walk<RecordFlag>(`${path}/flags`);
    expect(new Set(flags.items.map(({ id }) => id)).size).toBe(VEHICLES + RESOLVED);
    const open = await walk<RecordFlag>(`${path}/flags?status=OPEN`);
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

  it('shows the snapshots of the newest ten versions as far as they fit, and where the others are', async () => {
    const { items } = await read<HistoryPage<RecordVersion>>(
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
    const whole = await read<RecordVersion>('alpha', `${pathOf(long)}/versions/${first?.version}`);
    expect(whole).toEqual({ ...first, snapshot: complete[0]?.snapshot });
  });

  it('takes a number of rows that does not grow with its history', async () => {
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
    const looks = {
      detail: () =>
        countingRows(databaseUrl, (db) =>
          findRecord(db, keyring, long.registryReference, insurer, now),
        ),
      search: () => countingRows(databaseUrl, (db) => searchRecords(db, keyring, search)),
      versions: () => countingRows(databaseUrl, (db) => readVersionPage(db, keyring, id, query)),
      amendments: () =>
        countingRows(databaseUrl, (db) => readAmendmentPage(db, keyring, id, query)),
      vehicles: () => countingRows(databaseUrl, (db) => readVehiclePage(db, id, query)),
      lock: () =>
        countingRows(databaseUrl, (db) =>
          db.$transaction((tx) => lockRecord(tx, keyring, id, { withPolicy: true })),
        ),
    };
    const read: Record<string, number> = {};
    for (const [name, look] of Object.entries(looks)) read[name] = (await look()).rowsRead;
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

  it('is read without looking through what others sent, by who sent little of it', async () => {
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
    const { value, rowsRead } = await countingRows(world.config.databaseUrl, (db) =>
      readTransmissionPage(db, viewer, head?.id ?? '', { limit: 200, cursor: undefined }),
    );
    expect(value.rows).toEqual([]);
    expect(rowsRead).toBeLessThan(100);
    const flags = await countingRows(world.config.databaseUrl, (db) =>
      readFlagPage(db, viewer, head?.id ?? '', { limit: 10, cursor: undefined }),
    );
    expect(flags.value.rows).toHaveLength(10);
  });
});

const LISTS = ['versions', 'amendments', 'transmissions', 'vehicles', 'flags'] as const;

describe('the history of a record', () => {
  it('answers an empty list where there is none, and one page where all fit', async () => {
    const made = await world.register('alpha', recordBody());
    const pages = await Promise.all(
      LISTS.map((list) => read<HistoryPage<object>>('alpha', `${pathOf(made)}/${list}`)),
    );
    expect(pages.map(({ items, total, nextCursor }) => [items.length, total, nextCursor])).toEqual([
      [1, 1, null],
      [0, 0, null],
      [1, 1, null],
      [1, 1, null],
      [0, 0, null],
    ]);
    const record = await read<RecordDetail>('alpha', pathOf(made));
    const [versions, , transmissions, vehicles] = pages;
    expect(versions?.items).toEqual(record.versions);
    expect(transmissions?.items).toEqual(record.transmissions);
    expect(vehicles?.items).toEqual(record.vehicles);
  });

  it('has a snapshot for each of ten versions, and says where the first of twelve are', async () => {
    const made = await world.register('alpha', recordBody());
    for (let version = 2; version <= 12; version += 1) {
      await world.amend('alpha', made.registryReference, { policy: { remarks: `${version}` } });
    }
    const record = await read<RecordDetail>('alpha', pathOf(made));
    const remarks = record.versions.map(({ snapshot }) => [
      snapshot['omitted'] ?? false,
      (snapshot['policy'] as { remarks?: string } | undefined)?.remarks ?? null,
    ]);
    expect(remarks).toEqual([
      [true, null],
      [true, null],
      ...Array.from({ length: 10 }, (_, index) => [false, `${index + 3}`]),
    ]);
    const href = String(record.versions[1]?.snapshot['href']);
    const second = await read<RecordVersion>('alpha', href.replace('/api/v1', ''));
    expect(second).toMatchObject({
      version: 2,
      snapshot: { policy: { remarks: '2' }, operator: { tinMasked: '************000' } },
    });
    const diff = await read<HistoryPage<object>>(
      'alpha',
      `${pathOf(made)}/amendments/2/diff?limit=1`,
    );
    expect(diff).toEqual({
      items: [{ path: 'policy.remarks', before: null, after: '2' }],
      nextCursor: null,
      total: 1,
    });
  });

  it('refuses a limit out of range and a cursor of another list', async () => {
    for (const list of [...LISTS, 'versions/1/vehicles']) {
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=abc']) {
        const { status, envelope } = await world.get('alpha', `${pathOf(long)}/${list}?${query}`);
        const [field] = query.split('=');
        expect({ list, query, status, field: envelope.error?.details?.[0]?.field }).toEqual({
          list,
          query,
          status: 422,
          field,
        });
      }
    }
  });

  it('is NOT_FOUND for who may not see the record, and where there is no such version', async () => {
    const parts = [...LISTS, 'versions/1', 'versions/1/vehicles', 'amendments/2/diff'];
    for (const part of parts) {
      const { status, envelope } = await world.get('charlie', `${pathOf(other)}/${part}`);
      expect({ part, status, code: envelope.error?.code }).toEqual({
        part,
        status: 404,
        code: 'NOT_FOUND',
      });
    }
    for (const part of [
      'versions/2',
      'versions/0',
      'versions/1.0',
      'versions/9999999999',
      'versions/2/vehicles',
      'amendments/1/diff',
    ]) {
      expect((await world.get('bravo', `${pathOf(other)}/${part}`)).status).toBe(404);
    }
  });

  it('holds a snapshot of an earlier release that no answer has room for: its vehicles are paged', async () => {
    const made = await world.register('alpha', recordBody({ vehicles: [makePlainVehicle()] }));
    const { id } = await world.db.certificate.findUniqueOrThrow({
      where: { registryReference: made.registryReference },
    });
    const version = await world.db.certificateVersion.findFirstOrThrow({
      where: { certificateId: id },
    });
    const kept = JSON.parse(
      world.keyring.open(Buffer.from(version.snapshotSealed), `${id}/1`).toString(),
    );
    const route = '\uFDFA'.normalize('NFKC').repeat(500);
    const vehicles = Array.from({ length: 300 }, (_, n) => ({
      ...kept.vehicles[0],
      route,
      plateNumber: `OLD${n}`,
    }));
    const sealed = world.keyring.seal(JSON.stringify({ ...kept, vehicles }), `${id}/1`);
    await world.db.certificateVersion.update({
      where: { certificateId_version: { certificateId: id, version: 1 } },
      data: { snapshotSealed: new Uint8Array(sealed) },
    });
    await read<RecordDetail>('alpha', pathOf(made));
    const { snapshot } = await read<RecordVersion>('alpha', `${pathOf(made)}/versions/1`);
    const { href } = snapshot['vehicles'] as { href: string };
    const { items, total } = await walk<{ plateNumber: string }>(href.replace('/api/v1', ''));
    expect(total).toBe(300);
    expect(items.map(({ plateNumber }) => plateNumber)).toEqual(
      vehicles.map(({ plateNumber }) => plateNumber),
    );
  });
});

describe('other answers (D33)', () => {
  it('a search whose page is too long says which page is not', async () => {
    const policyNumber = 'POL-LONG-NAMES';
    for (const cocNumber of ['COC-LONG-1', 'COC-LONG-2']) {
      const { registryReference } = await world.register(
        'alpha',
        recordBody({ policy: { policyNumber }, certificate: { cocNumber } }),
      );
      const { id, operatorId } = await world.db.certificate.findUniqueOrThrow({
        where: { registryReference },
      });
      const operator = { name: 'x'.repeat(1_200_000), tin: null };
      await world.db.certificate.update({
        where: { id },
        data: {
          operatorSealed: new Uint8Array(world.keyring.seal(JSON.stringify(operator), operatorId)),
        },
      });
    }
    const path = `/ppai/policies/search?policyNumber=${policyNumber}`;
    const refused = await world.get('alpha', path);
    expect({ status: refused.status, details: refused.envelope.error?.details }).toMatchObject({
      status: 422,
      details: [{ field: 'pageSize', message: expect.stringContaining('a pageSize of 1 or less') }],
    });
    await read('alpha', `${path}&pageSize=1&page=2`);
  });

  it('a rejection with thousands of findings lists the first of them and says how many it leaves out', async () => {
    const vehicles = Array.from({ length: 500 }, () => ({ region: '宿'.repeat(8) }));
    const answer = await world.send('alpha', {
      path: '/ppai/policies',
      body: { ...recordBody(), vehicles },
    });
    expect({ status: answer.status, code: answer.envelope.error?.code }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
    });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    const details = answer.envelope.error?.details ?? [];
    expect(details).toHaveLength(2_001);
    expect(details.at(-1)).toMatchObject({
      code: 'FINDINGS_OMITTED',
      severity: 'WARNING',
      message: expect.stringMatching(/^\d+ more findings are not listed/),
    });
  });
});
