import type { Redis } from 'ioredis';
import {
  makePostgresNonceStore,
  makeRedisNonceStore,
  type NonceStore,
} from '../../../../api/auth/machine/nonce.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { type MovableClock, makeMovableClock } from '../../../../shared/platform/clock.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { connectRedis } from '../../../../shared/platform/redis/redis.ts';
import { pruneNonces } from '../../../../shared/store/access/nonces.ts';
import { newNonce } from '../../../env/api/signed-request.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { makeTestRedis, type TestRedis } from '../../../env/servers/redis.ts';
import { currentShape } from '../../../env/shape.ts';

const isRedis = currentShape() === 'redis';
const CLIENT = 'client-1';

let database: TestDatabase;
let db: Db;
let testRedis: TestRedis | undefined;
let redis: Redis | undefined;
let clock: MovableClock;
let store: NonceStore;

beforeEach(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 4, applicationName: 'test' });
  if (isRedis) {
    testRedis = await makeTestRedis();
    redis = await connectRedis(testRedis.url, {
      role: 'fail-fast',
      logger: makeLogger({ level: 'silent', name: 'test' }),
    });
  }
  clock = makeMovableClock(new Date());
  store = await openStore();
});
afterEach(async () => {
  redis?.disconnect();
  await testRedis?.drop();
  await db.$disconnect();
  await database.drop();
});

function openStore(): Promise<NonceStore> {
  if (redis === undefined || testRedis === undefined) return makePostgresNonceStore({ db, clock });
  return makeRedisNonceStore({ db, clock, redis, keyPrefix: testRedis.prefix });
}

function now(): number {
  return Math.floor(clock.now().getTime() / 1_000);
}

async function loseNonces(): Promise<void> {
  if (testRedis === undefined) await db.$executeRaw`DELETE FROM nonces`;
  else await testRedis.empty();
}

async function issueToken(): Promise<void> {
  await db.$executeRaw`INSERT INTO organizations (code, name, type) VALUES ('INS', 'INS', 'INSURANCE_COMPANY')`;
  await db.$executeRaw`
    INSERT INTO api_clients (client_id, name, organization_id, scopes)
    SELECT 'client-1', 'client', id, '{}' FROM organizations`;
  await db.$executeRaw`
    INSERT INTO access_tokens (token_hash, api_client_id, scopes, issued_at, expires_at)
    SELECT '\\x00', id, '{}', now(), now() + interval '15 minutes' FROM api_clients`;
}

describe('a nonce', () => {
  it('is fresh once, even in the first second of a new registry', async () => {
    const nonce = newNonce();
    expect(await store.use(CLIENT, nonce, now())).toBe('fresh');
    expect(await store.use(CLIENT, nonce, now())).toBe('reused');
  });

  it('is fresh for exactly one of many concurrent requests', async () => {
    const nonce = newNonce();
    const uses = await Promise.all(
      Array.from({ length: 20 }, () => store.use(CLIENT, nonce, now() + 5)),
    );
    expect(uses.filter((use) => use === 'fresh')).toHaveLength(1);
  });

  it('is checked independently of other nonces that arrive at the same moment', async () => {
    const [used, twice, ahead] = [newNonce(), newNonce(), newNonce()];
    await store.use(CLIENT, used, now());
    clock.advance(1_000);
    await loseNonces();
    clock.advance(1_000);
    const signedBefore = now() - 2;
    const uses = await Promise.all([
      store.use(CLIENT, newNonce(), now()),
      store.use(CLIENT, used, signedBefore),
      store.use(CLIENT, twice, now()),
      store.use('other', twice, now()),
      store.use(CLIENT, twice, now()),
      store.use(CLIENT, ahead, now() + 30),
      store.use(CLIENT, newNonce(), signedBefore),
      store.use(CLIENT, newNonce(), now()),
    ]);
    // The first call detects the loss and begins a new epoch.
    expect(uses).toEqual([
      'before-epoch',
      'before-epoch',
      ...(['before-epoch', 'before-epoch', 'before-epoch'] as const),
      'fresh',
      'before-epoch',
      'before-epoch',
    ]);
    clock.advance(1_000);
    expect(
      await Promise.all([
        store.use(CLIENT, newNonce(), now()),
        store.use(CLIENT, twice, now()),
        store.use('other', twice, now()),
        store.use(CLIENT, twice, now()),
        store.use(CLIENT, used, signedBefore),
        store.use(CLIENT, ahead, now() + 29),
      ]),
    ).toEqual(['fresh', 'fresh', 'fresh', 'reused', 'before-epoch', 'reused']);
  });

  it('belongs to its client, with any characters in ids and nonces', async () => {
    expect(await store.use('client', 'a:nonce-0000000000000', now())).toBe('fresh');
    expect(await store.use('client:a', 'nonce-0000000000000', now())).toBe('fresh');
    expect(await store.use('other', 'a:nonce-0000000000000', now())).toBe('fresh');
  });

  it('is known to a store that another process opens', async () => {
    const nonce = newNonce();
    await issueToken();
    expect(await store.use(CLIENT, nonce, now())).toBe('fresh');
    expect(await (await openStore()).use(CLIENT, nonce, now())).toBe('reused');
  });
});

describe('a nonce store that lost its data', () => {
  it('refuses requests signed before the loss, and accepts requests signed after it', async () => {
    const nonce = newNonce();
    const signedAt = now();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    await loseNonces();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    clock.advance(1_000);
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });

  it('refuses the replay of a request whose timestamp was ahead of the clock', async () => {
    const nonce = newNonce();
    const signedAt = now() + 200;
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    clock.advance(10_000);
    await loseNonces();
    expect(await store.use(CLIENT, nonce, signedAt)).not.toBe('fresh');
    clock.advance(300_000);
    expect(await store.use(CLIENT, nonce, signedAt)).not.toBe('fresh');
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });

  it('still accepts new requests of clients whose clocks run ahead', async () => {
    expect(await store.use(CLIENT, newNonce(), now() + 299)).toBe('fresh');
    await loseNonces();
    expect(await store.use(CLIENT, newNonce(), now() + 1)).toBe('fresh');
    expect(await store.use(CLIENT, newNonce(), now() + 299)).toBe('fresh');
  });

  it('refuses all requests for the largest accepted clock difference if the second copy is lost as well', async () => {
    await issueToken();
    await loseNonces();
    await db.$executeRaw`DELETE FROM nonces_ahead`;
    expect(await store.use(CLIENT, newNonce(), now() + 299)).toBe('before-epoch');
    clock.advance(306_000);
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });

  it('still has its nonces if only the second copy is emptied', async () => {
    const nonce = newNonce();
    expect(await store.use(CLIENT, nonce, now() + 100)).toBe('fresh');
    await db.$executeRaw`DELETE FROM nonces_ahead`;
    expect(await store.use(CLIENT, nonce, now() + 100)).toBe('reused');
    expect(await store.use(CLIENT, newNonce(), now() + 100)).toBe('fresh');
  });

  it('refuses such a replay even after several losses in a row', async () => {
    const nonce = newNonce();
    const signedAt = now() + 290;
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    for (let loss = 0; loss < 3; loss += 1) {
      clock.advance(60_000);
      await loseNonces();
      expect(await store.use(CLIENT, nonce, signedAt)).not.toBe('fresh');
    }
  });

  it('refuses replays if it was emptied while no process ran', async () => {
    const nonce = newNonce();
    const signedAt = now();
    await issueToken();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    await loseNonces();
    store = await openStore();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
  });

  it('refuses requests signed before its server restarted, even if old data was restored', async () => {
    const nonce = newNonce();
    const signedAt = now();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    if (testRedis === undefined) await loseNonces();
    else {
      await redis?.hset(`${testRedis.prefix}:nonces:epoch`, 'run', 'an earlier run');
      await redis?.del(`${testRedis.prefix}:nonces:${CLIENT.length}:${CLIENT}:${nonce}`);
    }
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    clock.advance(1_000);
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });

  it('refuses replays even if every table of nonces is emptied as well', async () => {
    const nonce = newNonce();
    const signedAt = now() + 100;
    await issueToken();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    for (const table of ['nonces', 'nonces_ahead', 'nonce_keepers'])
      await db.$executeRawUnsafe(`DELETE FROM ${table}`);
    await loseNonces();
    expect(await store.use(CLIENT, nonce, signedAt)).not.toBe('fresh');
  });
});

describe('the table of nonces', () => {
  it('is pruned of expired nonces in bounded passes, which does not count as a loss', async () => {
    for (let count = 0; count < 4; count += 1) await store.use(CLIENT, newNonce(), now() + 100);
    clock.advance(700_000);
    expect(await pruneNonces(db, 'nonces_ahead', clock.now(), 3)).toBe(3);
    expect(await pruneNonces(db, 'nonces_ahead', clock.now(), 3)).toBe(1);
    expect(await pruneNonces(db, 'nonces_ahead', clock.now(), 3)).toBe(0);
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });
});

describe('a nonce store that replaces another one', () => {
  it('refuses requests signed while the other one was in use', async () => {
    const nonce = newNonce();
    const signedAt = now();
    await issueToken();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    await db.$executeRaw`UPDATE nonce_keepers SET store = ${isRedis ? 'postgres' : 'redis'}`;
    store = await openStore();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    clock.advance(1_000);
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
  });
});
