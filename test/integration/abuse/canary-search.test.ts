import { Redis } from 'ioredis';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { captureLog } from '../../env/capture-log.ts';
import { findCanaries, formsOf } from '../../env/records/canary-forms.ts';
import {
  type RedisWatch,
  readRedis,
  readTables,
  watchRedis,
} from '../../env/records/store-contents.ts';

// What canaries.test.ts searches with finds what is planted, in every place and form.

let stack: Stack;
let watch: RedisWatch | undefined;
const { logger, lines } = captureLog();

beforeAll(async () => {
  stack = await startStack({ logger, workers: 0 });
  const { redisUrl } = stack.config;
  if (redisUrl !== undefined) watch = await watchRedis(redisUrl);
});
afterAll(async () => {
  watch?.stop();
  await stack.stop();
});

describe('the search for canaries', () => {
  const planted = { planted: `plantéd ＣＡＮＡＲＹ "1" ${process.hrtime.bigint()}` };
  const forms = [...formsOf(planted.planted)];
  const every = expect.arrayContaining([{ canary: 'planted', form: 'sent' }]);

  it.each(forms)('finds the form %s among other bytes', (form, text) => {
    const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(`x${text}y`)]);
    expect(findCanaries(planted, bytes)).toContainEqual({ canary: 'planted', form });
    expect(findCanaries(planted, 'anything else')).toEqual([]);
  });

  it('finds what is encoded together with what stands around it', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const around = Buffer.from(`${before}${planted.planted}after`);
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        expect(findCanaries(planted, around.toString(encoding))).not.toEqual([]);
      }
    }
  });

  it('finds one in a log line and in a metric', async () => {
    logger.trace({ deep: { er: planted.planted } }, 'planted');
    expect(lines.filter((line) => findCanaries(planted, line).length > 0)).toHaveLength(1);
    const metrics = makeMetrics();
    metrics.transmissionsReceived.inc({ kind: planted.planted });
    expect(findCanaries(planted, await metrics.registry.metrics())).not.toEqual([]);
  });

  it('finds one in a column of every type, in every schema', async () => {
    const { ownerDb: db } = stack;
    const schemas = await db.$queryRaw<{ name: string }[]>`
      SELECT DISTINCT format('%I', table_schema) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`;
    for (const { name } of schemas) {
      for (const type of ['text', 'jsonb', 'json', 'bytea', 'text[]']) {
        const value = {
          text: '$1::text',
          jsonb: 'to_jsonb($1::text)',
          json: 'to_json($1::text)',
          bytea: `convert_to($1::text, 'UTF8')`,
          'text[]': 'ARRAY[$1::text]',
        }[type];
        await db.$executeRawUnsafe(`CREATE TABLE ${name}.planted (planted ${type})`);
        await db.$executeRawUnsafe(`INSERT INTO ${name}.planted SELECT ${value}`, planted.planted);
        const found = findCanaries(
          planted,
          (await readTables(db)).get(`${name}.planted`) ?? Buffer.alloc(0),
        );
        expect({ name, type, found: found.length > 0 }).toEqual({ name, type, found: true });
        await db.$executeRawUnsafe(`DROP TABLE ${name}.planted`);
      }
    }
  });

  it('finds one in a key of every type of Redis, and what was there for a moment', async () => {
    const { redisUrl, redisPrefix } = stack.config;
    if (redisUrl === undefined || watch === undefined) return;
    const redis = new Redis(redisUrl);
    const key = (type: string) => `${redisPrefix}:planted:${type}`;
    try {
      await redis.set(key('string'), planted.planted);
      await redis.hset(key('hash'), planted.planted, 1);
      await redis.rpush(key('list'), planted.planted);
      await redis.sadd(key('set'), planted.planted);
      await redis.zadd(key('zset'), 1, planted.planted);
      await redis.xadd(key('stream'), '*', 'field', planted.planted);
      await redis.set(key(planted.planted), 1);
      const contents = [...(await readRedis(redisUrl, `${redisPrefix}:planted`)).values()];
      expect(contents.map((bytes) => findCanaries(planted, bytes))).toEqual(Array(7).fill(every));
      await redis.del(key('string'));
      await redis.ping();
      expect(findCanaries(planted, watch.seen())).toEqual(every);
    } finally {
      redis.disconnect();
    }
  });
});
