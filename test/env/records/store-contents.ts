import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Db } from '../../../shared/db/prisma.ts';

/** The contents of tables, keys or logs, by name. */
export type Contents = ReadonlyMap<string, Buffer>;

interface Column {
  readonly relation: string;
  readonly name: string;
  readonly type: string;
}

/** Every value of every table and view in every schema, including the queue's. Bytes are unchanged. */
export async function readTables(db: Db): Promise<Contents> {
  const columns = await db.$queryRaw<Column[]>`
    SELECT format('%I.%I', table_schema, table_name) AS relation, format('%I', column_name) AS name, data_type AS type
    FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
    ORDER BY 1, ordinal_position`;
  const contents = new Map<string, Buffer>();
  for (const relation of new Set(columns.map((column) => column.relation))) {
    const read = columns.filter((column) => column.relation === relation).map(readColumn);
    const rows = await db.$queryRawUnsafe<Record<string, Uint8Array | string | null>[]>(
      `SELECT ${read.join(', ')} FROM ${relation}`,
    );
    const values = rows.flatMap((row) => Object.values(row).flatMap((value) => [value, '\n']));
    contents.set(relation, Buffer.concat(values.map((value) => Buffer.from(value ?? ''))));
  }
  return contents;
}

function readColumn({ name, type }: Column, position: number): string {
  const alias = `AS c${position}`;
  if (type === 'bytea') return `${name} ${alias}`;
  return type === 'ARRAY' ? `array_to_string(${name}, E'\\n') ${alias}` : `${name}::text ${alias}`;
}

/** The server's log and the last statement of each connection. */
export async function readServer(db: Db): Promise<Contents> {
  const [home] = await db.$queryRaw<{ data_directory: string }[]>`SHOW data_directory`;
  const statements = await db.$queryRaw<{ query: string }[]>`
    SELECT query FROM pg_stat_activity WHERE datname = current_database()`;
  return new Map([
    ['server.log', readFileSync(join(home?.data_directory ?? '', 'server.log'))],
    ['pg_stat_activity', Buffer.from(statements.map(({ query }) => query).join('\n'))],
  ]);
}

/** Every key whose name contains the prefix, of any type: name, fields and values. */
export async function readRedis(url: string, prefix: string): Promise<Contents> {
  const redis = new Redis(url);
  try {
    const contents = new Map<string, Buffer>();
    for (const key of await redis.keys(`*${prefix}*`)) {
      const parts = flatten(await readKey(redis, key, await redis.type(key)));
      contents.set(key, Buffer.concat([Buffer.from(`${key}\n`), ...parts]));
    }
    return contents;
  } finally {
    redis.disconnect();
  }
}

function readKey(redis: Redis, key: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return redis.getBuffer(key);
    case 'hash':
      return redis.callBuffer('HGETALL', key);
    case 'list':
      return redis.lrangeBuffer(key, 0, -1);
    case 'set':
      return redis.smembersBuffer(key);
    case 'zset':
      return redis.callBuffer('ZRANGE', key, '0', '-1');
    case 'stream':
      return redis.callBuffer('XRANGE', key, '-', '+');
    case 'none':
      return Promise.resolve(null);
    default:
      throw new Error(`${key} is a ${type}, which this function cannot read`);
  }
}

function flatten(reply: unknown): Buffer[] {
  if (Buffer.isBuffer(reply)) return [reply, Buffer.from('\n')];
  return Array.isArray(reply) ? reply.flatMap(flatten) : [];
}

export interface RedisWatch {
  /** Every command so far from all clients of the server. */
  seen(): Buffer;
  stop(): void;
}

/** Records all commands, and so also data that Redis keeps only briefly: completed jobs, notices, arguments of scripts. */
export async function watchRedis(url: string): Promise<RedisWatch> {
  // monitor() of a connection treats commands that arrive while it starts as an error, and then returns nothing to disconnect.
  const monitor = new Redis(url, { monitor: true });
  const ignore = (): void => undefined;
  monitor.on('error', ignore);
  await new Promise((done) => monitor.once('monitoring', done));
  monitor.off('error', ignore);
  const commands: Buffer[] = [];
  monitor.on('monitor', (_time: string, args: readonly string[]) => {
    commands.push(Buffer.from(`${args.map(unescaped).join(' ')}\n`, 'latin1'));
  });
  return {
    seen: () => Buffer.concat(commands),
    stop: () => monitor.disconnect(),
  };
}

function unescaped(arg: string): string {
  return arg.replace(/\\x([0-9a-f]{2})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
