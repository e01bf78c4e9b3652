import { newNonce, type SignedRequest, type TestAnswer } from '../env/api-env.ts';
import { makeBody, today, uniqueNumber } from '../env/bodies.ts';
import { withRedis } from '../env/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../env/redis.ts';
import { makeRunFolder, removeRunFolder } from '../env/run-folder.ts';
import { currentShape } from '../env/shape.ts';
import { type Stack, startStack } from '../env/stack.ts';
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts';

const BACK_MS_MAX = 20_000;
const AT_ONCE = 4;
const POLICIES = '/ppai/policies';

let stack: Stack;
let redis: RedisServer | undefined;
let proxy: TcpProxy | undefined;
let areAnswersLost = false;
const folder = currentShape() === 'redis' ? makeRunFolder() : undefined;

beforeAll(async () => {
  let environment: NodeJS.ProcessEnv = {};
  if (folder !== undefined) {
    redis = await startRedisServer(folder);
    const port = Number(new URL(redis.url).port);
    proxy = await startTcpProxy(
      () => port,
      ({ toServer, toClient }) => ({
        fromClient: toServer,
        fromServer: (data) => {
          if (!areAnswersLost) toClient(data);
        },
      }),
    );
    environment = { REDIS_URL: `redis://127.0.0.1:${proxy.port}` };
  }
  stack = await startStack({ environment });
});
afterAll(async () => {
  await stack.stop();
  await proxy?.close();
  await redis?.stop();
  if (folder !== undefined) removeRunFolder(folder);
});

interface Outage {
  /** How far the clocks of those who ask run ahead. */
  readonly aheadSeconds: number;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

function tableAway(table: string, aheadSeconds: number): Outage {
  const rename = (from: string, to: string) =>
    stack.api.context.db.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
  return {
    aheadSeconds,
    begin: () => rename(table, `${table}_away`),
    end: () => rename(`${table}_away`, table),
  };
}

/** Keys outside the patterns are answered with NOPERM. */
const allowOnly = (...patterns: string[]) =>
  withRedis(redis?.url ?? '', (connection) =>
    connection.call('ACL', 'SETUSER', 'default', 'resetkeys', ...patterns),
  );

const OUTAGES: Readonly<Record<string, Outage>> = {
  'the second copy of nonces that lie ahead is out of reach': tableAway('nonces_ahead', 60),
  ...(currentShape() === 'embedded'
    ? { 'only the nonces are out of reach': tableAway('nonces', 0) }
    : {
        'only the nonces are out of reach': {
          aheadSeconds: 0,
          begin: () =>
            allowOnly(`~${stack.config.redisPrefix}:limits*`, `~${stack.config.redisPrefix}:queue*`),
          end: () => allowOnly('~*'),
        },
        'the way to Redis is cut': {
          aheadSeconds: 0,
          begin: async () => proxy?.down(),
          end: async () => proxy?.up(),
        },
        'Redis hears what it is told and its answers are lost': {
          aheadSeconds: 0,
          begin: async () => {
            areAnswersLost = true;
          },
          end: async () => {
            areAnswersLost = false;
            proxy?.resetAll();
          },
        },
      }),
};

interface Registered {
  readonly reference: string;
  readonly body: ReturnType<typeof makeBody>;
}

type Ask = (registered: Registered) => Pick<SignedRequest, 'path' | 'body'>;

/** Every kind of signed request, with what it answers when nothing is out of reach. */
const ASKED: Readonly<Record<string, readonly [Ask, number]>> = {
  'a transmission': [() => ({ path: POLICIES, body: makeBody() }), 201],
  'a record': [({ reference }) => ({ path: `${POLICIES}/${reference}` }), 200],
  'a coverage check': [
    ({ body }) => ({ path: `/ppai/vehicles/${body.vehicles[0]?.plateNumber}/coverage` }),
    200,
  ],
  'an amendment': [
    ({ reference }) => ({
      path: `${POLICIES}/${reference}/amendments`,
      body: {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'The operator moved',
        changes: { operator: { address: uniqueNumber('Calle') } },
      },
    }),
    200,
  ],
  'a cancellation': [
    ({ reference, body }) => ({
      path: `${POLICIES}/${reference}/cancellation`,
      body: {
        externalTransactionId: uniqueNumber('CANCEL'),
        policyNumber: body.policy.policyNumber,
        cocNumber: body.certificate.cocNumber,
        cancellationEffectiveDate: today(),
        reasonCode: 'OTHER',
        reasonText: 'Asked',
      },
    }),
    200,
  ],
};

const signedNow = (asked: Pick<SignedRequest, 'path' | 'body'>, aheadSeconds = 0): SignedRequest => ({
  ...asked,
  nonce: newNonce(),
  timestamp: Math.floor(Date.now() / 1_000) + aheadSeconds,
});

/** Connections come back by themselves. */
async function untilPassed(attempt: () => Promise<TestAnswer>): Promise<TestAnswer> {
  const endsAt = Date.now() + BACK_MS_MAX;
  for (;;) {
    const answer = await attempt();
    if (answer.status !== 500 || Date.now() >= endsAt) return answer;
    await new Promise((done) => setTimeout(done, 200));
  }
}

const countTransmissions = () => stack.api.context.db.transmission.count();

describe.each(Object.entries(OUTAGES))('while %s', (_name, outage) => {
  let registered: Registered;
  let before: number;
  const refused: SignedRequest[] = [];

  beforeAll(async () => {
    const body = makeBody();
    const { status, acknowledgment } = await stack.transmit('alpha', body);
    expect(status).toBe(201);
    registered = { reference: acknowledgment.registryReference ?? '', body };
    before = await countTransmissions();
    await outage.begin();
  });

  it.each(Object.entries(ASKED))('%s is refused', async (what, [ask]) => {
    const requests = Array.from({ length: AT_ONCE }, () =>
      signedNow(ask(registered), outage.aheadSeconds),
    );
    const answers = await Promise.all(requests.map((request) => stack.send('alpha', request)));
    for (const { status, envelope, headers } of answers) {
      expect({ status, code: envelope.error?.code, data: envelope.data }).toEqual({
        status: 500,
        code: 'INTERNAL_ERROR',
        data: null,
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    if (what === 'a transmission') refused.push(...requests);
  });

  it('nothing is recorded, and when it is over what was refused passes once at most', async () => {
    await outage.end();
    const { envelope } = await untilPassed(() =>
      stack.send('alpha', signedNow({ path: `${POLICIES}/${registered.reference}` })),
    );
    expect(envelope.data).toMatchObject({ version: 1, status: 'ACTIVE' });
    expect(await countTransmissions()).toBe(before);

    let passed = 0;
    expect(refused).toHaveLength(AT_ONCE);
    for (const request of refused) {
      const { status } = await stack.send('alpha', request);
      expect([201, 401]).toContain(status);
      if (status === 201) passed += 1;
      const again = await stack.send('alpha', request);
      expect([again.status, again.envelope.error?.code]).toEqual([401, 'NONCE_REUSED']);
    }
    expect(await countTransmissions()).toBe(before + passed);

    for (const [what, [ask, expected]] of Object.entries(ASKED)) {
      const { status } = await stack.send('alpha', signedNow(ask(registered)));
      expect({ what, status }).toEqual({ what, status: expected });
    }
  });
});
