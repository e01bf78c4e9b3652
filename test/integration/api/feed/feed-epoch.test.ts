import type { ChangesPage } from '../../../../shared/contract/machine/changes.ts';
import { renewFeedEpoch } from '../../../../shared/store/registry/feed/renew-epoch.ts';
import { cursorOf, readFeed, readPage } from '../../../env/feed/feed-reader.ts';
import {
  type RecordWorld,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

it('renewing the epoch makes a restored feed readable again, from the beginning and in its order', async () => {
  for (let made = 0; made < 3; made += 1) await world.register('alpha', recordBody());
  const before = await readFeed(world, 'alpha');
  const after = await cursorOf(world, 'alpha');
  // As if restored from a cluster that had many more transactions.
  await world.db
    .$executeRaw`UPDATE changes SET xid = (xid::text::bigint + 1000000000000)::text::xid8`;
  expect((await readPage(world, 'alpha')).items).toEqual([]);

  await renewFeedEpoch(world.db);
  const { envelope } = await world.get('alpha', `/ppai/changes?after=${after}`);
  expect(envelope.error?.details).toMatchObject([{ code: 'CURSOR_UNKNOWN', field: 'after' }]);
  const references = (items: readonly { transmissionReference: string | null }[]) =>
    items.map(({ transmissionReference }) => transmissionReference);
  expect(references(await readFeed(world, 'alpha'))).toEqual(references(before));
  const { transmissionReference } = await world.register('alpha', recordBody());
  expect(references(await readFeed(world, 'alpha')).at(-1)).toBe(transmissionReference);
});

it('the feed stands still while a transaction is open, and continues when it ends', async () => {
  const after = await cursorOf(world, 'alpha');
  let opened = new Date();
  const timeOf = ({ highWaterMark }: ChangesPage) => new Date(highWaterMark ?? 0).getTime();
  await world.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_current_xact_id()::text AS id`;
    opened = new Date();
    await world.register('alpha', recordBody());
    for (let count = 0; count < 2; count += 1) {
      const page = await readPage(world, 'alpha', `after=${after}`);
      expect(page).toMatchObject({ items: [], caughtUp: true });
      expect(timeOf(page)).toBeLessThanOrEqual(opened.getTime());
    }
  });
  expect(await readFeed(world, 'alpha', { after })).toHaveLength(1);
  // Another test of the cluster may also have a transaction open.
  const ended = await untilSeen(
    () => readPage(world, 'alpha', 'after=now'),
    (page) => timeOf(page) > opened.getTime(),
    200,
  );
  expect(timeOf(ended)).toBeGreaterThan(opened.getTime());
});
