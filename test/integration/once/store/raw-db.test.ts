import { type Db, openDb, openRawDb, type RawDb, sqlState } from '../../../../shared/db/prisma.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let raw: RawDb;
const optionsOf = ({ url }: TestDatabase) => ({
  databaseUrl: url,
  poolMax: 2,
  applicationName: 'test',
});
beforeAll(async () => {
  database = await makeTestDatabase();
  raw = openRawDb(optionsOf(database));
});
afterAll(async () => {
  await raw.$disconnect();
  await database.drop();
});

const addRegion = (on: Pick<RawDb, '$executeRaw'>, region: string) =>
  on.$executeRaw`INSERT INTO reference_regions (region) VALUES (${region})`;
async function hasRegion(region: string): Promise<boolean> {
  const [row] = await raw.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT FROM reference_regions WHERE region = ${region}) AS has`;
  return row?.has === true;
}

describe('a database without models', () => {
  it('answers what one with models answers, type by type', async () => {
    const ask = (on: Pick<Db, '$queryRaw'>) => on.$queryRaw`
      SELECT ${1}::int AS int, ${9_007_199_254_740_993n}::bigint AS bigint, ${true} AS bool, ${'ñ'} AS text,
        ${new Date(0)}::timestamptz AS moment, '2026-11-24'::date AS day, '1.10'::numeric AS money,
        ${Buffer.from('bytes')}::bytea AS bytes, ${['a', 'b']}::text[] AS list, NULL::uuid AS absent,
        '{"a": [1, null]}'::jsonb AS json`;
    const db = openDb(optionsOf(database));
    try {
      expect(await ask(raw)).toEqual(await ask(db));
    } finally {
      await db.$disconnect();
    }
  });

  it('commits a transaction, and rolls back one that throws', async () => {
    await raw.$transaction((tx) => addRegion(tx, 'KEPT'));
    const failing = raw.$transaction(async (tx) => {
      await addRegion(tx, 'LOST');
      throw new Error('not this time');
    });
    await expect(failing).rejects.toThrow('not this time');
    expect([await hasRegion('KEPT'), await hasRegion('LOST')]).toEqual([true, false]);
  });

  it('says what the database refused', async () => {
    await addRegion(raw, 'TWICE');
    const refused = await addRegion(raw, 'TWICE').catch((error: unknown) => error);
    expect(sqlState(refused)).toBe('23505');
    const within = await raw
      .$transaction((tx) => addRegion(tx, 'TWICE'))
      .catch((error: unknown) => error);
    expect(sqlState(within)).toBe('23505');
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('leaves one with models that is opened %s it as it is', async (_, isFirst) => {
    const open = {
      raw: () => openRawDb(optionsOf(database)),
      db: () => openDb(optionsOf(database)),
    };
    const first = isFirst ? open.db() : open.raw();
    await first.$queryRaw`SELECT 1`;
    const second = isFirst ? open.raw() : open.db();
    await second.$queryRaw`SELECT 1`;
    const db = (isFirst ? first : second) as Db;
    try {
      expect(await db.organization.count({ where: { code: 'NONE' } })).toBe(0);
    } finally {
      await first.$disconnect();
      await second.$disconnect();
    }
  });

  it('has no models', () => {
    expect(raw).not.toHaveProperty('organization');
  });
});
