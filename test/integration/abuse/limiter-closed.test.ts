import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { requestToken } from '../../env/api/machine-client.ts';
import { newNonce, type SignedRequest, type TestAnswer } from '../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { untilSeen } from '../../env/server-timeouts.ts';
import { withRedis } from '../../env/servers/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../../env/servers/redis.ts';
import { currentShape } from '../../env/shape.ts';
import {
  addStaffUser,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
} from '../../env/staff/staff.ts';

const AT_ONCE = 15;
/** A Redis that is frozen is waited for so long. */
const STORES_MS = 3_000;

let stack: Stack;
let user: StaffBrowser;
let redis: RedisServer | undefined;
const folder = currentShape() === 'redis' ? makeRunFolder() : undefined;

beforeAll(async () => {
  redis = folder === undefined ? undefined : await startRedisServer(folder);
  stack = await startStack({
    ...(redis === undefined ? {} : { environment: { REDIS_URL: redis.url } }),
    storesMs: STORES_MS,
  });
  user = await addStaffUser(stack, 'REVIEWER');
  await stack.tokenOf('alpha');
});
afterAll(async () => {
  await stack.stop();
  await redis?.stop();
  if (folder !== undefined) removeRunFolder(folder);
});

interface Outage {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const rename = (tables: readonly string[], from: string, to: string) => async () => {
  for (const table of tables) {
    await stack.ownerDb.$executeRawUnsafe(`ALTER TABLE ${table}${from} RENAME TO ${table}${to}`);
  }
};
const tablesAway = (...tables: string[]): Outage => ({
  begin: rename(tables, '', '_away'),
  end: rename(tables, '_away', ''),
});

async function asAdmin(use: (admin: Client, database: string) => Promise<unknown>): Promise<void> {
  const url = new URL(stack.database.ownerUrl);
  const database = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  try {
    await use(admin, database);
  } finally {
    await admin.end();
  }
}

const databaseAway: Outage = {
  begin: () =>
    asAdmin(async (admin, database) => {
      await admin.query(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`);
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [database],
      );
    }),
  end: () =>
    asAdmin((admin, database) =>
      admin.query(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`),
    ),
};

const inRedis = (...args: [string, ...string[]]) =>
  withRedis(redis?.url ?? '', (connection) => connection.call(...args));
/** Keys outside the patterns are answered with NOPERM. */
const allowOnly = (...patterns: string[]) =>
  inRedis('ACL', 'SETUSER', 'default', 'resetkeys', ...patterns);
const signalRedis = (signal: NodeJS.Signals) =>
  process.kill(Number(readFileSync(join(folder ?? '', 'redis', 'redis.pid'), 'utf8')), signal);
const prefix = () => stack.config.redisPrefix;
const redisStopped: Outage = {
  begin: async () => redis?.stop(),
  end: async () => {
    const port = Number(new URL(redis?.url ?? '').port);
    if (folder !== undefined) redis = await startRedisServer(folder, port);
  },
};

const OUTAGES: Readonly<Record<string, Outage>> =
  currentShape() === 'redis'
    ? {
        'Redis is stopped': redisStopped,
        'Redis answers with errors': { begin: () => allowOnly(), end: () => allowOnly('~*') },
        'Redis does not answer': {
          begin: async () => signalRedis('SIGSTOP'),
          end: async () => signalRedis('SIGCONT'),
        },
        'only the limits are out of reach': {
          begin: () => allowOnly(`~${prefix()}:nonces*`, `~${prefix()}:queue*`),
          end: () => allowOnly('~*'),
        },
      }
    : {
        'the database is away': databaseAway,
        'their tables are away': tablesAway('nonces', 'nonces_ahead', 'rate_limits'),
        'only the limits are out of reach': tablesAway('rate_limits'),
      };

const transmit = () =>
  ({
    path: '/ppai/policies',
    body: makeBody(),
    nonce: newNonce(),
    timestamp: Math.floor(Date.now() / 1_000),
  }) satisfies SignedRequest;
const login = () =>
  makeBrowser(stack).post('/auth/v1/login', { email: user.email, password: STAFF_PASSWORD });

/** Everything that a limit or a nonce stands before, each with the right credentials. */
const ATTEMPTS: Readonly<Record<string, () => Promise<TestAnswer>>> = {
  'a transmission': () => stack.send('alpha', transmit()),
  'a search': () => stack.send('alpha', { path: '/ppai/policies/search?plateNumber=NCR1001' }),
  'a coverage check': () => stack.send('alpha', { path: '/ppai/vehicles/NCR1001/coverage' }),
  'a token request': () => requestToken(stack, stack.client('bravo')),
  'a sign-in': login,
};

async function countRecorded() {
  const { db } = stack.api.context;
  return {
    transmissions: await db.transmission.count(),
    tokens: await db.accessToken.count(),
    sessions: await db.staffSession.count(),
  };
}

/** Repeats until it passes: connections come back by themselves, and what is signed around a loss is refused (D19). */
function untilPassed(attempt: () => Promise<TestAnswer>): Promise<TestAnswer> {
  return untilSeen(attempt, ({ status }) => ![500, 401].includes(status), 200);
}

describe.each(Object.entries(OUTAGES))('while %s', (_name, outage) => {
  let used: SignedRequest;
  let before: Awaited<ReturnType<typeof countRecorded>>;
  beforeAll(async () => {
    const heard = await untilPassed(() => {
      used = transmit();
      return stack.send('alpha', used);
    });
    expect(heard.status).toBe(201);
    before = await countRecorded();
    await outage.begin();
  });

  it.each(Object.entries(ATTEMPTS))(
    '%s is refused with the time to wait, however many come',
    async (_what, attempt) => {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, attempt));
      for (const { status, envelope, headers } of answers) {
        expect({ status, code: envelope.error?.code, data: envelope.data }).toEqual({
          status: 500,
          code: 'INTERNAL_ERROR',
          data: null,
        });
        expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      }
    },
  );

  it('a request that was heard before is not heard again', async () => {
    expect([401, 500]).toContain((await stack.send('alpha', used)).status);
  });

  it('nothing was recorded, and all of them pass when it is over, but for the replay', async () => {
    await outage.end();
    const back = await untilPassed(() =>
      stack.send('alpha', { path: '/ppai/policies/search?plateNumber=NCR1001' }),
    );
    expect(back.status).toBe(200);
    expect(await countRecorded()).toEqual(before);
    expect((await stack.send('alpha', used)).status).toBe(401);
    for (const [what, attempt] of Object.entries(ATTEMPTS)) {
      const { status } = await untilPassed(attempt);
      expect({ what, passed: [200, 201, 404].includes(status) }).toEqual({ what, passed: true });
    }
  });
});

it('limits count on after an outage: it gave nobody more than the quota', async () => {
  const from = '198.51.100.77';
  const target = `${API_BASE}/oauth/token`;
  const ask = () =>
    stack.sendRaw({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ grant_type: 'client_credentials' }),
    });
  const outage = OUTAGES['only the limits are out of reach'];
  const statuses: number[] = [];
  for (let count = 0; count < 15; count += 1) statuses.push((await ask()).status);
  await outage?.begin();
  for (let count = 0; count < 10; count += 1) statuses.push((await ask()).status);
  await outage?.end();
  for (let count = 0; count < 15; count += 1) statuses.push((await ask()).status);
  const counted = statuses.filter((status) => status !== 500);
  expect(statuses.slice(15, 25)).toEqual(Array(10).fill(500));
  expect(counted.filter((status) => status === 429).length).toBe(10);
});
