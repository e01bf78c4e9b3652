import { createHash } from 'node:crypto';
import { Client, types } from 'pg';
import { Prisma } from '../../../shared/db/generated/client.ts';
import { inPlace } from '../../../shared/db/large-parameters.ts';
import { sessionConfig, storeSettings } from '../../../shared/db/postgres-session.ts';
import type { Db } from '../../../shared/db/prisma.ts';

/** A statement as PostgreSQL gets it, named by its text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

const INT8_OID = 20;
const NAME_CHARS = 32;

/** What Prisma makes of a template of the store. */
export function compile(strings: TemplateStringsArray, values: readonly unknown[]): Statement {
  const sql = Prisma.sql(strings, ...values);
  const name = createHash('sha256').update(sql.text).digest('hex').slice(0, NAME_CHARS);
  return { name, text: sql.text, values: inPlace(sql.values) };
}

/**
 * A database whose statements `run` sees instead of Prisma: the functions of the store then run, or only show, the very
 * statements of production.
 */
export function statementsTo(run: (statement: Statement) => Promise<unknown[]>): Db {
  const raw = (strings: TemplateStringsArray, ...values: unknown[]) =>
    run(compile(strings, values));
  return { $queryRaw: raw, $executeRaw: raw } as unknown as Db;
}

export async function connectPrepared(url: string): Promise<Client> {
  const client = new Client({
    ...sessionConfig(url, {
      applicationName: 'bench',
      settings: storeSettings({ plansOnce: true }),
    }),
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8_OID ? BigInt : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  await client.connect();
  return client;
}

/** By its name: parsed and planned once a connection. */
export async function runPrepared(client: Client, statement: Statement): Promise<unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(statement);
  return rows;
}
