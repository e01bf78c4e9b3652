import { ANSWER_BYTES_MAX } from '../../../../shared/contract/machine/bounds.ts';
import type { RecordDetail, RecordVersion } from '../../../../shared/contract/machine/record.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import { type HistoryPage, readAs, walkPages } from '../../../env/records/history-pages.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
let other: Registered;
beforeAll(async () => {
  world = await startRecordWorld();
  other = await world.register('bravo', recordBody({ issuingInsurerCode: 'INS-BRAVO' }));
});
afterAll(() => world.stop());

const pathOf = ({ registryReference }: Registered) => `/ppai/policies/${registryReference}`;

const LISTS = ['versions', 'amendments', 'transmissions', 'vehicles', 'flags'] as const;

describe('the history of a record', () => {
  it('has an empty list or one page for each part of a new record', async () => {
    const made = await world.register('alpha', recordBody());
    const pages = await Promise.all(
      LISTS.map((list) => readAs<HistoryPage<object>>(world, 'alpha', `${pathOf(made)}/${list}`)),
    );
    expect(pages.map(({ items, total, nextCursor }) => [items.length, total, nextCursor])).toEqual([
      [1, 1, null],
      [0, 0, null],
      [1, 1, null],
      [1, 1, null],
      [0, 0, null],
    ]);
    const record = await readAs<RecordDetail>(world, 'alpha', pathOf(made));
    const [versions, , transmissions, vehicles] = pages;
    expect(versions?.items).toEqual(record.versions);
    expect(transmissions?.items).toEqual(record.transmissions);
    expect(vehicles?.items).toEqual(record.vehicles);
  });

  it('includes the snapshots of the last ten of twelve versions, and links to the first two', async () => {
    const made = await world.register('alpha', recordBody());
    for (let version = 2; version <= 12; version += 1) {
      await world.amend('alpha', made.registryReference, { policy: { remarks: `${version}` } });
    }
    const record = await readAs<RecordDetail>(world, 'alpha', pathOf(made));
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
    const second = await readAs<RecordVersion>(world, 'alpha', href.replace('/api/v1', ''));
    expect(second).toMatchObject({
      version: 2,
      snapshot: { policy: { remarks: '2' }, operator: { tinMasked: '************000' } },
    });
    const diff = await readAs<HistoryPage<object>>(
      world,
      'alpha',
      `${pathOf(made)}/amendments/2/diff?limit=1`,
    );
    expect(diff).toEqual({
      items: [{ path: 'policy.remarks', before: null, after: '2' }],
      nextCursor: null,
      total: 1,
    });
  });

  it('refuses a limit out of range and an invalid cursor', async () => {
    const made = await world.register('alpha', recordBody());
    for (const list of [...LISTS, 'versions/1/vehicles']) {
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=abc']) {
        const { status, envelope } = await world.get('alpha', `${pathOf(made)}/${list}?${query}`);
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

  it('is NOT_FOUND for organizations that do not see the record, and for unknown versions', async () => {
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

  it('pages the vehicles of a snapshot that an earlier release stored and that is too large for one answer', async () => {
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
    await readAs<RecordDetail>(world, 'alpha', pathOf(made));
    const { snapshot } = await readAs<RecordVersion>(world, 'alpha', `${pathOf(made)}/versions/1`);
    const { href } = snapshot['vehicles'] as { href: string };
    const { items, total } = await walkPages<{ plateNumber: string }>(
      world,
      href.replace('/api/v1', ''),
    );
    expect(total).toBe(300);
    expect(items.map(({ plateNumber }) => plateNumber)).toEqual(
      vehicles.map(({ plateNumber }) => plateNumber),
    );
  });
});

describe('an answer that would be too long (D33)', () => {
  it('is refused with a smaller pageSize if it is a page of a search', async () => {
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
    await readAs(world, 'alpha', `${path}&pageSize=1&page=2`);
  });

  it('lists the first findings and the number of omitted ones if it is a rejection', async () => {
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
