import { randomUUID } from 'node:crypto';
import type { Lifecycle } from '../../../../shared/contract/enums.ts';
import type { Tx } from '../../../../shared/db/prisma.ts';
import { insertChangeRows } from '../../../../shared/store/registry/feed/insert-change-rows.ts';
import type { By } from '../../../../shared/store/staff/audit.ts';
import { reviewFlag } from '../../../../shared/store/staff/flags/review.ts';
import { changePool } from '../../../../shared/store/staff/pools.ts';
import {
  cursorOf,
  readFeed,
  readPage,
  untilPoolsShown,
  untilReadable,
} from '../../../env/feed/feed-reader.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';
import { untilWaiting } from '../../../races/until-waiting.ts';

// The visibility of changes, also after the roles in a pool have changed (D23, D37).

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const CLIENTS = ['alpha', 'bravo', 'charlie', 'mgt-one', 'alpha-read-only', 'verifier'] as const;
type Client = (typeof CLIENTS)[number];

const bravo = { issuingInsurerCode: 'INS-BRAVO' };
const pooled = { ...bravo, poolCode: 'POOL-NORTH' };

const by = (): By => ({
  actor: { kind: 'COMMAND', id: null, email: 'test@staff.example', role: null },
  address: null,
  requestId: `test-${randomUUID()}`,
  at: world.clock.now(),
  keys: world.keyring,
});

const idOf = async (code: string) => (await world.viewer(code)).organizationId;

async function changeLead(tx: Tx, code: string): Promise<void> {
  const [pool, leadInsurerId] = [await idOf('POOL-NORTH'), await idOf(code)];
  const { version } = await tx.insurancePool.findUniqueOrThrow({ where: { organizationId: pool } });
  await changePool(tx, pool, { leadInsurerId, expectedVersion: version }, by());
}

async function changeLeadNow(code: string): Promise<void> {
  await world.db.$transaction((tx) => changeLead(tx, code));
  await untilPoolsShown(world.db);
}

async function cursors(): Promise<Record<Client, string>> {
  const entries: [Client, string][] = [];
  for (const client of CLIENTS) entries.push([client, await cursorOf(world, client)]);
  return Object.fromEntries(entries) as Record<Client, string>;
}

const referencesSeen = async (client: Client, after: string, query = '') =>
  (await readFeed(world, client, { after, query })).map(
    ({ registryReference }) => registryReference,
  );

async function viewersOf({ registryReference }: Registered, after: Record<Client, string>) {
  const viewers: Client[] = [];
  for (const client of CLIENTS) {
    const seen = await referencesSeen(client, after[client]);
    expect(seen.filter((one) => one === registryReference).length).toBeLessThanOrEqual(1);
    if (seen.includes(registryReference)) viewers.push(client);
  }
  return viewers;
}

it.each([
  ['without a pool', 'bravo', bravo, ['bravo', 'verifier']],
  ['in a pool', 'bravo', pooled, ['alpha', 'bravo', 'mgt-one', 'alpha-read-only', 'verifier']],
  ['sent by the lead insurer', 'alpha', bravo, ['alpha', 'bravo', 'verifier']],
])(
  "the feed shows an insurer's record %s once to each organization that sees it",
  async (_name, client, changes, viewers) => {
    const after = await cursors();
    const record = await world.register(client, recordBody(changes));
    expect(await viewersOf(record, after)).toEqual(viewers);
  },
);

it('the feed shows a new lead insurer all records of the pool, and the former one only its own', async () => {
  const before = await cursors();
  const record = await world.register('bravo', recordBody(pooled));
  const own = await world.register('alpha', recordBody(bravo));
  const after = await cursors();
  await changeLeadNow('INS-CHARLIE');
  const gained = await readFeed(world, 'charlie', {
    after: after.charlie,
    query: 'include=record',
  });
  expect(gained.find((item) => item.registryReference === record.registryReference)).toMatchObject({
    type: 'RECORD_VISIBLE',
    kind: null,
    status: null,
    transmissionReference: null,
    transmittingOrg: null,
    version: 1,
    lifecycle: 'CURRENT' satisfies Lifecycle,
    at: null,
    record: { registryReference: record.registryReference },
  });
  expect(gained.every(({ type }) => type === 'RECORD_VISIBLE')).toBe(true);
  expect(await referencesSeen('alpha', before.alpha)).toEqual([own.registryReference]);
  const first = await readPage(world, 'alpha', `after=${before.alpha}&limit=1`);
  expect(first.items).toMatchObject([{ registryReference: own.registryReference }]);
  expect(await referencesSeen('alpha', first.next)).toEqual([]);

  const back = await cursors();
  await changeLeadNow('INS-ALPHA');
  const regained = await referencesSeen('alpha', back.alpha, 'types=RECORD_VISIBLE');
  expect(regained).toContain(record.registryReference);
  expect(regained).not.toContain(own.registryReference);
  expect(await referencesSeen('charlie', before.charlie)).toEqual([]);
});

describe('among thousands of changes that the reader no longer sees', () => {
  /** Adds changes of a record to the feed of its former lead insurer. */
  async function addHidden({ registryReference }: Registered, count: number): Promise<void> {
    const { id } = await world.db.certificate.findUniqueOrThrow({ where: { registryReference } });
    await world.db.$executeRaw`
      INSERT INTO changes (organization_id, certificate_id, type)
      SELECT ${await idOf('INS-ALPHA')}::uuid, ${id}::uuid, 2 FROM generate_series(1, ${count}::int)`;
  }
  let hidden: Registered;
  beforeAll(async () => {
    hidden = await world.register('bravo', recordBody(pooled));
    await changeLeadNow('INS-CHARLIE');
  });
  afterAll(() => changeLeadNow('INS-ALPHA'));

  it.each(['limit=1', 'limit=100', 'limit=100&types=TRANSMISSION_COMPLETED,RECORD_AMENDED'])(
    'a page finds the next visible change, and the next page those after it: %s',
    async (query) => {
      const after = await cursorOf(world, 'alpha');
      await addHidden(hidden, 1_500);
      const first = await world.register('alpha', recordBody());
      const second = await world.register('alpha', recordBody());
      await addHidden(hidden, 700);
      const third = await world.register('alpha', recordBody());
      await untilReadable(world.db);
      const found = await readPage(world, 'alpha', `after=${after}&${query}`);
      expect(found.items[0]?.registryReference).toBe(first.registryReference);
      const rest = await readFeed(world, 'alpha', { after: found.next, query });
      expect([...found.items, ...rest].map((item) => item.registryReference)).toEqual(
        [first, second, third].map(({ registryReference }) => registryReference),
      );
    },
  );

  it('a page without one ends after some 5,000, not before, and the cursor has moved past them', async () => {
    const after = await cursorOf(world, 'alpha');
    await addHidden(hidden, 8_000);
    const { registryReference } = await world.register('alpha', recordBody());
    await untilReadable(world.db);
    const passed = await readPage(world, 'alpha', `after=${after}&limit=100`);
    expect(passed).toMatchObject({ items: [], caughtUp: false });
    const found = await readPage(world, 'alpha', `after=${passed.next}&limit=100`);
    expect(found).toMatchObject({ items: [{ registryReference }], caughtUp: true });
  });
});

it('the feed shows a sender its amendment, but not the record, after the record became invisible to it', async () => {
  const record = await world.register('bravo', recordBody(pooled));
  const after = await cursorOf(world, 'alpha');
  await world.amend('alpha', record.registryReference, { policy: { remarks: 'By the lead' } });
  await changeLeadNow('INS-CHARLIE');
  const seen = await readFeed(world, 'alpha', { after, query: 'include=record' });
  await changeLeadNow('INS-ALPHA');
  expect(seen).toMatchObject([
    { type: 'RECORD_AMENDED', transmittingOrg: 'INS-ALPHA', lifecycle: null, record: null },
  ]);
});

it('the feed shows the review of a flag to every organization that sees the record', async () => {
  const record = await world.register('bravo', recordBody(pooled));
  const { registryReference } = record;
  const { id: certificateId } = await world.db.certificate.findUniqueOrThrow({
    where: { registryReference },
  });
  const flag = { id: randomUUID(), type: 'VEHICLE_MISMATCH', region: 'NCR', message: 'Look' };
  await world.db.flag.create({ data: { ...flag, certificateId, createdAt: world.clock.now() } });
  const after = await cursors();
  const review = { flagId: flag.id, status: 'CLEARED', notes: 'Fine' } as const;
  await world.db.$transaction((tx) => reviewFlag(tx, world.keyring, review, by()));
  expect(await viewersOf(record, after)).toEqual(CLIENTS.filter((client) => client !== 'charlie'));
  expect(await readFeed(world, 'bravo', { after: after.bravo })).toMatchObject([
    { type: 'FLAG_CHANGED', registryReference, kind: null, at: world.clock.now().toISOString() },
  ]);
});

describe('if a commit and a change of the lead insurer overlap', () => {
  /** Records a change, as the last step of a commit does. */
  const change = (tx: Tx, certificateId: string) =>
    insertChangeRows(tx, [
      { type: 'RECORD_AMENDED', transmissionId: null, certificateId, flagId: null },
    ]);
  let certificateId: string;
  let registryReference: string;
  beforeEach(async () => {
    ({ registryReference } = await world.register('bravo', recordBody(pooled)));
    const where = { registryReference };
    ({ id: certificateId } = await world.db.certificate.findUniqueOrThrow({ where }));
  });
  afterEach(() => changeLeadNow('INS-ALPHA'));

  it('the change waits for the commit, and then includes its record', async () => {
    const after = await cursorOf(world, 'charlie');
    let changing: Promise<void> = Promise.resolve();
    await world.db.$transaction(async (tx) => {
      await change(tx, certificateId);
      // Other transactions see this only after the commit.
      await tx.$executeRaw`UPDATE certificates SET current_version = 7 WHERE id = ${certificateId}::uuid`;
      changing = changeLeadNow('INS-CHARLIE');
      await untilWaiting(world.db, 1, changing);
    });
    await changing;
    const seen = await readFeed(world, 'charlie', { after });
    expect(seen.filter((item) => item.registryReference === registryReference)).toMatchObject([
      { type: 'RECORD_VISIBLE', version: 7 },
    ]);
  });

  it('the commit waits for the change, and then shows its record to the new lead insurer', async () => {
    const after = await cursorOf(world, 'charlie');
    let changed: Promise<void> = Promise.resolve();
    await world.db.$transaction(async (tx) => {
      await changeLead(tx, 'INS-CHARLIE');
      changed = world.db.$transaction((other) => change(other, certificateId));
      await untilWaiting(world.db, 1, changed);
    });
    await changed;
    await untilPoolsShown(world.db);
    const seen = await readFeed(world, 'charlie', { after });
    const ofRecord = seen.filter((item) => item.registryReference === registryReference);
    expect(ofRecord.map(({ type }) => type).toSorted()).toEqual([
      'RECORD_AMENDED',
      'RECORD_VISIBLE',
    ]);
  });
});
