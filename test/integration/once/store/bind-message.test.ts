import { createHash } from 'node:crypto';
import type { BindConfig, Client } from 'pg';
import { sendLargeAtOnce } from '../../../../shared/db/bind-message.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 4, applicationName: 'test' });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const CHARACTERS = Array.from('aÑ½🚐"\\\n');
/** Other ones for each, some of several bytes. */
const textOf = (seed: number, length: number) =>
  Array.from({ length }, (_, at) => CHARACTERS[(at * seed) % CHARACTERS.length]).join('');
const digestOf = (value: string | Buffer) => createHash('sha256').update(value).digest('hex');

describe('a statement with large parameters', () => {
  it('gets every kind of them', async () => {
    const much = 'ñ'.repeat(100_000);
    const bytes = Buffer.from([0, 255, 13, 10, 92]);
    const at = new Date('2026-06-15T01:02:03.456Z');
    const [row] = await db.$queryRaw<object[]>`
      SELECT ${much}::text AS much, ${null}::text AS absent, ${''}::text AS empty, ${-7}::int AS number,
        ${1.5}::float8 AS fraction, ${true}::bool AS flag, ${at}::timestamptz AS at, ${bytes}::bytea AS bytes,
        ${['a', '"b"', 'ñ']}::text[] AS list`;
    expect(row).toEqual({
      much,
      absent: null,
      empty: '',
      number: -7,
      fraction: 1.5,
      flag: true,
      at,
      bytes: new Uint8Array(bytes),
      list: ['a', '"b"', 'ñ'],
    });
  });

  it('gets its own, whatever others were sent before and meanwhile', async () => {
    const sizes = [70_000, 3, 400_000, 90_000, 65_536, 65_535, 20, 200_000];
    const texts = Array.from({ length: 32 }, (_, at) => textOf(at + 1, sizes[at % 8] ?? 0));
    texts.push(textOf(33, 3_000_000));
    const came = await Promise.all(
      texts.map(async (text) => {
        const bytes = Buffer.from(text.slice(0, 100_000));
        const [row] = await db.$queryRaw<{ text: string; bytes: string }[]>`
          SELECT encode(sha256(convert_to(${text}::text, 'UTF8')), 'hex') AS text,
            encode(sha256(${bytes}::bytea), 'hex') AS bytes`;
        return row;
      }),
    );
    expect(came).toEqual(
      texts.map((text) => ({
        text: digestOf(text),
        bytes: digestOf(text.slice(0, 100_000)),
      })),
    );
  });

  it('that fails leaves the connection to the next one', async () => {
    const one = openDb({ databaseUrl: database.url, poolMax: 1, applicationName: 'test' });
    try {
      const much = 'no number '.repeat(20_000);
      await expect(one.$queryRaw`SELECT ${much}::int`).rejects.toThrow('invalid input syntax');
      const [row] = await one.$queryRaw<object[]>`SELECT length(${much}::text) AS length`;
      expect(row).toEqual({ length: much.length });
    } finally {
      await one.$disconnect();
    }
  });
});

describe('the memory of a large statement', () => {
  /** A connection whose system takes over what is written when it is told to. */
  function makeConnection() {
    const written: { readonly bytes: Buffer; readonly takeOver: () => void }[] = [];
    const left: BindConfig[] = [];
    const connection = {
      bind: (config: BindConfig) => void left.push(config),
      stream: {
        writable: true,
        write: (bytes: Buffer, takeOver: () => void) => void written.push({ bytes, takeOver }),
      },
    };
    sendLargeAtOnce({ connection } as unknown as Client);
    return { written, left, bind: (value: string) => connection.bind({ values: [value] }) };
  }

  it('is used again, but by nobody until the system has taken over what stands in it', () => {
    const { written, bind } = makeConnection();
    const texts = ['a', 'b', 'c', 'd'].map((one) => one.repeat(100_000));
    const [first = '', ...others] = texts;
    bind(first);
    for (const text of others) bind(text);
    expect(written.map(({ bytes }, at) => bytes.includes(texts[at] ?? ''))).toEqual(
      texts.map(() => true),
    );
    for (const { takeOver } of written) takeOver();
    bind(first);
    expect(written.slice(0, 4).map(({ bytes }) => bytes.buffer)).toContain(
      written[4]?.bytes.buffer,
    );
    expect(written[4]?.bytes.includes(first)).toBe(true);
  });

  it('is not asked for where the client sends a small one', () => {
    const { written, left, bind } = makeConnection();
    bind('small');
    expect([written, left]).toEqual([[], [{ values: ['small'] }]]);
  });
});
