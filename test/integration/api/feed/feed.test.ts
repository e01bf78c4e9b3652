import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGE_TYPES } from '../../../../shared/contract/machine/changes.ts';
import { uniqueNumber } from '../../../env/api/bodies.ts';
import { cursorOf, readFeed, readPage, untilReadable } from '../../../env/feed/feed-reader.ts';
import {
  type RecordWorld,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

// The change feed over HTTP (D37).

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const bravo = { issuingInsurerCode: 'INS-BRAVO' };

it('the feed shows the sender registration, amendment and cancellation, each once and in order', async () => {
  const after = await cursorOf(world, 'alpha');
  const record = await world.register('alpha', recordBody());
  const amended = await world.amend('alpha', record.registryReference, {
    policy: { remarks: 'Corrected' },
  });
  const cancelled = await world.cancel('alpha', record, '2026-10-15');
  const items = await readFeed(world, 'alpha', { after });
  const common = {
    errorCode: null,
    transmittingOrg: 'INS-ALPHA',
    registryReference: record.registryReference,
    lifecycle: 'CANCELLED',
    at: '2026-10-15T02:00:00.000Z',
    cursor: expect.any(String),
  };
  expect(items).toEqual([
    {
      ...common,
      type: 'TRANSMISSION_COMPLETED',
      kind: 'CREATE',
      status: 'ACCEPTED',
      version: 1,
      transmissionReference: record.transmissionReference,
      externalTransactionId: record.body.externalTransactionId,
    },
    {
      ...common,
      type: 'RECORD_AMENDED',
      kind: 'AMEND',
      status: amended.status,
      version: 2,
      transmissionReference: amended.transmissionReference,
      externalTransactionId: amended.externalTransactionId,
    },
    {
      ...common,
      type: 'RECORD_CANCELLED',
      kind: 'CANCEL',
      status: 'ACCEPTED',
      version: 2,
      transmissionReference: cancelled.transmissionReference,
      externalTransactionId: cancelled.externalTransactionId,
    },
  ]);
});

it('the feed shows a rejection to sender, issuing insurer and regulator, and to nobody else', async () => {
  const clients = ['alpha', 'bravo', 'charlie', 'mgt-one', 'alpha-read-only', 'verifier'];
  const after = new Map<string, string>();
  for (const client of clients) after.set(client, await cursorOf(world, client));
  const body = recordBody({ ...bravo, certificate: { expirationDate: '2026-09-01' } });
  const sent = await world.send('alpha', { path: '/ppai/policies', body });
  expect(sent.status).toBe(422);
  const seen = new Map<string, unknown[]>();
  for (const client of clients) {
    seen.set(client, await readFeed(world, client, { after: after.get(client) ?? '' }));
  }
  const item = {
    type: 'TRANSMISSION_COMPLETED',
    kind: 'CREATE',
    status: 'REJECTED',
    errorCode: 'VALIDATION_FAILED',
    transmittingOrg: 'INS-ALPHA',
    registryReference: null,
    version: null,
    lifecycle: null,
  };
  const others = expect.objectContaining({ ...item, externalTransactionId: null });
  expect(Object.fromEntries(seen)).toEqual({
    alpha: [
      expect.objectContaining({ ...item, externalTransactionId: body.externalTransactionId }),
    ],
    bravo: [others],
    verifier: [others],
    charlie: [],
    'mgt-one': [],
    'alpha-read-only': [],
  });
});

it('a replay adds nothing to the feed', async () => {
  const body = recordBody();
  await world.register('alpha', body);
  const after = await cursorOf(world, 'alpha');
  const replayed = await world.send('alpha', { path: '/ppai/policies', body });
  expect(replayed.envelope.data).toMatchObject({ replayed: true });
  expect(await readFeed(world, 'alpha', { after })).toEqual([]);
});

it('the feed repeats the same changes after the same cursor, in pages of any size, and continues after any item', async () => {
  const after = await cursorOf(world, 'alpha');
  for (let made = 0; made < 5; made += 1) await world.register('alpha', recordBody());
  const whole = await readFeed(world, 'alpha', { after });
  expect(whole).toHaveLength(5);
  for (const limit of [1, 2, 5, 500]) {
    expect(await readFeed(world, 'alpha', { after, query: `limit=${limit}` })).toEqual(whole);
  }
  expect(await readFeed(world, 'alpha', { after: whole[1]?.cursor ?? '' })).toEqual(whole.slice(2));
  const all = await readFeed(world, 'alpha');
  expect(all.slice(-5)).toEqual(whole);
  expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length);
});

it('the feed lists only the requested types, and moves the cursor past the others', async () => {
  const after = await cursorOf(world, 'alpha');
  const record = await world.register('alpha', recordBody());
  await world.amend('alpha', record.registryReference, { policy: { remarks: 'Other' } });
  await untilReadable(world.db);
  const only = await readPage(world, 'alpha', `after=${after}&types=RECORD_AMENDED`);
  expect(only.items.map(({ type }) => type)).toEqual(['RECORD_AMENDED']);
  const none = await readPage(world, 'alpha', `after=${after}&types=FLAG_CHANGED,RECORD_CANCELLED`);
  expect(none.items).toEqual([]);
  expect(await readFeed(world, 'alpha', { after: none.next })).toEqual([]);
  const every = await readFeed(world, 'alpha', { after, query: `types=${CHANGE_TYPES.join(',')}` });
  expect(every).toHaveLength(2);
});

it('a cursor names the last change, not transactions that were rolled back, whose ids a crash may give again', async () => {
  await world.register('alpha', recordBody());
  await world.db
    .$transaction(async (tx) => {
      await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  const last = (await readFeed(world, 'alpha')).at(-1)?.cursor;
  expect((await readPage(world, 'alpha', 'after=now')).next).toBe(last);
  expect(await readPage(world, 'alpha', `after=${last}`)).toMatchObject({ items: [], next: last });
});

it('include=record adds the record in its current state', async () => {
  const after = await cursorOf(world, 'alpha');
  const record = await world.register('alpha', recordBody());
  await world.amend('alpha', record.registryReference, { policy: { remarks: 'Third' } });
  const items = await readFeed(world, 'alpha', { after, query: 'include=record' });
  expect(items.map(({ version }) => version)).toEqual([1, 2]);
  for (const item of items) {
    expect(item.record).toMatchObject({
      registryReference: record.registryReference,
      currentVersion: 2,
    });
  }
});

it('a reader that has caught up has read everything committed before the high-water mark', async () => {
  const { registryReference } = await world.register('alpha', recordBody());
  const committed = new Date();
  // The mark stands while any transaction of the cluster is in progress.
  const page = await untilSeen(
    () => readPage(world, 'alpha', 'limit=500'),
    ({ highWaterMark }) => highWaterMark !== null && new Date(highWaterMark) >= committed,
    200,
  );
  expect(new Date(page.highWaterMark ?? 0).getTime()).toBeGreaterThanOrEqual(committed.getTime());
  expect(page.caughtUp).toBe(true);
  expect(page.items.map((item) => item.registryReference)).toContain(registryReference);
});

describe('Prefer: wait', () => {
  const wait = (after: string, seconds: number) =>
    world.send('alpha', {
      path: `/ppai/changes?after=${after}`,
      headers: { Prefer: `wait=${seconds}` },
    });

  it('delays an empty answer until there is a change', async () => {
    const after = await cursorOf(world, 'alpha');
    const held = wait(after, 20);
    await sleep(300);
    const { registryReference } = await world.register('alpha', recordBody());
    const answer = await held;
    expect(answer.headers['preference-applied']).toBe('wait=20');
    expect(answer.envelope.data).toMatchObject({ items: [{ registryReference }] });
  });

  it('leads to an empty answer when the time is over', async () => {
    const after = await cursorOf(world, 'alpha');
    const { envelope } = await wait(after, 1);
    expect(envelope.data).toMatchObject({ items: [], caughtUp: true, next: expect.any(String) });
  });
});

describe('an invalid request', () => {
  const detailsOf = async (client: string, query: string) => {
    const { status, envelope } = await world.get(client, `/ppai/changes?${query}`);
    const details = envelope.error?.details?.map(({ code, field }) => ({ code, field }));
    return { status, code: envelope.error?.code, details };
  };
  const refused = (code: string, field: string) => ({
    status: 422,
    code: 'VALIDATION_FAILED',
    details: [{ code, field }],
  });
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it.each([
    ['limit=0', 'At least 1.'],
    ['limit=501', 'At most 500.'],
    ['limit=x', 'Expected a whole number, in decimal digits.'],
  ])('is refused with %s', async (query, message) => {
    const { status, envelope } = await world.get('alpha', `/ppai/changes?${query}`);
    expect(status).toBe(422);
    expect(envelope.error?.details).toMatchObject([{ field: 'limit', message }]);
  });

  it.each(['types=NEWS', 'types=', 'types=FLAG_CHANGED,'])('is refused with %s', async (query) => {
    expect(await detailsOf('alpha', query)).toEqual(refused('INVALID_FORMAT', 'types'));
  });

  it('is refused with an unknown value of include', async () => {
    expect(await detailsOf('alpha', 'include=all')).toEqual(refused('INVALID_FORMAT', 'include'));
  });

  it.each([
    ['no base64', '%25%25'],
    ['another list', encode(['2026-01-01'])],
    ['a transaction id that is too large', encode(['0'.repeat(32), '99999999999999999999', '1'])],
    ['a negative sequence number', encode(['0'.repeat(32), '5', '-1'])],
    ['words', uniqueNumber('X')],
  ])('is refused with a malformed cursor: %s', async (_name, after) => {
    expect(await detailsOf('alpha', `after=${after}`)).toEqual(refused('INVALID_FORMAT', 'after'));
  });

  it('is CURSOR_UNKNOWN with the cursor of another organization', async () => {
    const after = await cursorOf(world, 'bravo');
    expect(await detailsOf('alpha', `after=${after}`)).toEqual(refused('CURSOR_UNKNOWN', 'after'));
    expect((await detailsOf('bravo', `after=${after}`)).status).toBe(200);
  });

  it('is CURSOR_UNKNOWN with a cursor from before a restore', async () => {
    const after = await cursorOf(world, 'alpha');
    const [feed] = JSON.parse(Buffer.from(after, 'base64url').toString()) as string[];
    const ahead = encode([feed, '999999999999', '1']);
    expect(await detailsOf('alpha', `after=${ahead}`)).toEqual(refused('CURSOR_UNKNOWN', 'after'));
    await world.db.$executeRaw`UPDATE feed_epoch SET epoch = gen_random_uuid()`;
    expect(await detailsOf('alpha', `after=${after}`)).toEqual(refused('CURSOR_UNKNOWN', 'after'));
  });
});
