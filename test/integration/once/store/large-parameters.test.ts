import {
  arrayLiteral,
  handOver,
  jsonArrayLiteral,
} from '../../../../shared/db/large-parameters.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import {
  joinedInPieces,
  jsonInPieces,
  TextInPieces,
} from '../../../../shared/db/text-in-pieces.ts';
import {
  type Identifiers,
  type KindAndValue,
  presentIdentifiers,
} from '../../../../shared/domain/identifiers.ts';
import {
  BorneKeys,
  identifierKey,
  keyArray,
  keysIn,
} from '../../../../shared/store/registry/commit/identifier-key.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const AWKWARD = ['', 'NULL', '"', '\\', '{a,b}', "it's", 'a,b', ' ', '\t\n', 'Ñ½ 🚐', '$1', '\\"'];

describe('a large parameter', () => {
  it('arrives whole, in a transaction and outside of one', async () => {
    const text = JSON.stringify({ values: AWKWARD, much: 'ñ"\\'.repeat(200_000) });
    const ask = (on: Pick<Db, '$queryRaw'>) =>
      handOver(
        { text },
        (large) => on.$queryRaw<{ came: string; rows: object }[]>`
          SELECT ${large.text}::text AS came, ${large.text}::jsonb AS rows, ${1}::int AS one`,
      );
    const expected = [{ came: text, rows: JSON.parse(text), one: 1 }];
    expect(await ask(db)).toEqual(expected);
    expect(await db.$transaction((tx) => ask(tx))).toEqual(expected);
  });

  it.each([
    ['plain', ['', 'NULL', '{a,b}', "it's", 'a,b', ' ', 'Ñ½ 🚐', '$1', null]],
    ['awkward', [...AWKWARD, null]],
  ])('that is an array arrives element by element, of %s texts', async (_, values) => {
    const numbers = ['-9223372036854775808', '0', '9223372036854775807'];
    const [row] = await handOver(
      {
        texts: arrayLiteral(values),
        none: arrayLiteral([]),
        numbers: arrayLiteral(numbers),
        counts: arrayLiteral([1, -2, null]),
        flags: arrayLiteral([true, false, null]),
      },
      (large) => db.$queryRaw<object[]>`
        SELECT ${large.texts}::text[] AS texts, ${large.none}::text[] AS none,
          ${large.numbers}::bigint[]::text[] AS numbers, to_json(${large.counts}::int[]) AS counts,
          to_json(${large.flags}::bool[]) AS flags`,
    );
    expect(row).toEqual({
      texts: values,
      none: [],
      numbers,
      counts: [1, -2, null],
      flags: [true, false, null],
    });
  });

  it('that is an array of JSON texts arrives text by text', async () => {
    const texts = [...AWKWARD.map((value) => JSON.stringify({ value, '\u2028': [AWKWARD] })), null];
    const [row] = await handOver(
      { texts: jsonArrayLiteral(texts) },
      (large) => db.$queryRaw<object[]>`SELECT ${large.texts}::text[] AS texts`,
    );
    expect(row).toEqual({ texts });
  });

  it.each([0, 1, 500, 501, 1_000, 1_500])(
    'that is a list of %i rows arrives row by row',
    async (count) => {
      const rows = Array.from({ length: count }, (_, at) => ({ at, value: AWKWARD[at % 12] }));
      const arrays = [rows.slice(0, 1), rows.slice(1, 600), rows.slice(600)]
        .filter((some) => some.length > 0)
        .map((some) => JSON.stringify(some));
      const [row] = await handOver(
        { rows: jsonInPieces(rows), joined: joinedInPieces(arrays) },
        (large) => db.$queryRaw<object[]>`
        SELECT ${large.rows}::jsonb AS rows, ${large.joined}::text AS joined`,
      );
      expect(row).toEqual({ rows, joined: JSON.stringify(rows) });
    },
  );

  it('is not mixed up with those of others at the same time', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
    const came = await Promise.all(
      texts.map((text) =>
        handOver(
          { text },
          (large) => db.$queryRaw<{ came: string }[]>`SELECT ${large.text}::text AS came`,
        ),
      ),
    );
    expect(came).toEqual(texts.map((text) => [{ came: text }]));
  });

  it('stands for itself while it is shorter than a name', async () => {
    const [row] = await handOver(
      { text: '{}' },
      (large) => db.$queryRaw<object[]>`SELECT ${large.text}::text AS came`,
    );
    expect(row).toEqual({ came: '{}' });
  });

  it('is gone when its statement has ended, however it ended', async () => {
    const names: string[] = [];
    const fails = handOver({ text: 'no number'.repeat(10) }, (large) => {
      names.push(large.text);
      return db.$queryRaw`SELECT ${large.text}::int`;
    });
    await expect(fails).rejects.toThrow('invalid input syntax');
    await expect(db.$queryRaw`SELECT ${names[0]}::text`).rejects.toThrow('after its statement');
  });
});

it('the key of an identifier stays what registries have stored: 64 bits of SHA-256, signed', () => {
  expect(identifierKey({ kind: 'plateNumber', value: 'ABC1234' })).toBe('-281732188354339894');
  expect(identifierKey({ kind: 'chassisNumber', value: 'CHASSIS0001' })).toBe(
    '9018244912532776646',
  );
});

it.each([0, 1, 1_000])('an array of %i keys arrives key by key', async (count) => {
  const identifiers = Array.from({ length: count }, (_, at) => ({
    kind: 'engineNumber' as const,
    value: `VALUE${at}`,
  }));
  const [row] = await handOver(
    { keys: keyArray(identifiers) },
    (large) => db.$queryRaw<object[]>`SELECT ${large.keys}::bigint[]::text[] AS keys`,
  );
  expect(row).toEqual({ keys: identifiers.map(identifierKey) });
  expect(new Set(keysIn(keyArray([...identifiers, ...identifiers]))).size).toBe(count);
});

describe('the keys of what vehicles bear', () => {
  const vehicles = [
    { plateNumber: 'P1', mvFileNumber: 'M1', engineNumber: 'E1', chassisNumber: 'C1' },
    { plateNumber: null, mvFileNumber: 'M2', engineNumber: null, chassisNumber: 'P1' },
    { plateNumber: null, mvFileNumber: null, engineNumber: null, chassisNumber: null },
    { plateNumber: 'P4', mvFileNumber: 'M4', engineNumber: 'E4', chassisNumber: 'C4' },
  ];
  const borne = vehicles.flatMap(presentIdentifiers);
  const other = { kind: 'plateNumber', value: 'M2' } as const;

  it('are those of all of it', () => {
    expect(new BorneKeys(vehicles).array).toEqual(keyArray(borne));
    expect(new BorneKeys([]).array).toEqual(keyArray([]));
  });

  it.each([
    ['all', vehicles, []],
    ['none', [], []],
    ['some in their order', [vehicles[0], vehicles[3]], []],
    ['the last', vehicles.slice(-1), []],
    ['another order', vehicles.toReversed(), []],
    ['one twice', [vehicles[0], ...vehicles], []],
    ['one that is another', [vehicles[0], { ...vehicles[3], plateNumber: 'P5' }, vehicles[3]], []],
    ['some and other identifiers', vehicles.slice(1), [other, ...borne.slice(0, 2)]],
    ['other identifiers alone', [], borne],
  ] as [string, Identifiers[], KindAndValue[]][])(
    'are made again for %s as they are for identifiers alone',
    (_, asked, others) => {
      expect(new BorneKeys(vehicles).arrayOf(asked, others)).toEqual(
        keyArray([...asked.flatMap(presentIdentifiers), ...others]),
      );
    },
  );
});

it('the key of an identifier is the same however many others were asked for meanwhile, and another for another kind', () => {
  const values = Array.from({ length: 10_000 }, (_, at) => `VALUE${at}`);
  const keysOf = (kind: 'engineNumber' | 'chassisNumber') =>
    values.map((value) => identifierKey({ kind, value }));
  const [engines, chassis] = [keysOf('engineNumber'), keysOf('chassisNumber')];
  expect(keysOf('engineNumber')).toEqual(engines);
  expect(new Set([...engines, ...chassis]).size).toBe(20_000);
});

describe('a text in pieces', () => {
  const rows = [{ one: 1 }, { two: '2' }, { three: null }];

  it('is a plain one for the client that asks for it', () => {
    const text = jsonInPieces(rows);
    expect(text instanceof TextInPieces && text.toPostgres()).toBe(JSON.stringify(rows));
  });

  it('is sent once, since it is not kept', () => {
    const text = new TextInPieces(() => ['a', 'b']);
    expect([...text.take()]).toEqual(['a', 'b']);
    expect(() => text.take()).toThrow('was sent before');
  });
});
