import { Client } from 'pg';

/** The rows of one table: an INSERT, with `values` for its parameters. */
export interface TableFill {
  readonly table: string;
  readonly insert: string;
  readonly values?: readonly unknown[];
}

/** Tables that are filled at the same time: one per core. */
const FILLED_AT_A_TIME = 2;
const SESSION = `-c maintenance_work_mem=1GB -c synchronous_commit=off -c session_replication_role=replica`;

/**
 * Fills empty tables as fast as the server can: it drops indexes and keys first and restores them afterwards. Foreign keys
 * are restored without a check, so the rows must satisfy them by construction; later rows are checked as usual. Needs a
 * superuser, and `wal_level` minimal to write everything only once.
 */
export async function bulkLoad(url: string, fills: readonly TableFill[]): Promise<void> {
  const tables = fills.map(({ table }) => table);
  const client = await connect(url);
  try {
    const references = await dropForeignKeys(client, tables);
    const waiting = [...fills];
    await Promise.all(
      Array.from({ length: FILLED_AT_A_TIME }, async () => {
        const own = await connect(url);
        try {
          for (let fill = waiting.shift(); fill !== undefined; fill = waiting.shift())
            await fillTable(own, fill);
        } finally {
          await own.end();
        }
      }),
    );
    for (const reference of references) await client.query(reference);
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, options: SESSION });
  await client.connect();
  return client;
}

/** Returns the statements that restore the foreign keys. */
async function dropForeignKeys(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS owner, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND (conrelid::regclass::text = ANY($1) OR confrelid::regclass::text = ANY($1))`,
    [tables],
  );
  for (const { owner, name } of rows)
    await client.query(`ALTER TABLE ${owner} DROP CONSTRAINT ${name}`);
  return rows.map(
    ({ owner, name, definition }) =>
      `ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${definition} NOT VALID`,
  );
}

interface TableIndex {
  readonly name: string;
  readonly definition: string;
  /** 'p' or 'u'; null for an index that belongs to no constraint. */
  readonly constraint: string | null;
  readonly constraintDefinition: string | null;
}

/** Inserts in the transaction that truncates the table, so that the rows are not written to the write-ahead log. */
async function fillTable(client: Client, { table, insert, values = [] }: TableFill): Promise<void> {
  const { rows: indexes } = await client.query<TableIndex>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition,
       c.contype AS constraint, pg_get_constraintdef(c.oid) AS "constraintDefinition"
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
     WHERE i.indrelid = $1::regclass`,
    [table],
  );
  await client.query('BEGIN');
  await client.query(`TRUNCATE ${table}`);
  for (const index of indexes) await client.query(dropIndex(table, index));
  await client.query(insert, [...values]);
  for (const index of indexes) await client.query(restoreIndex(table, index));
  await client.query('COMMIT');
}

function dropIndex(table: string, { name, constraint }: TableIndex): string {
  return constraint === null
    ? `DROP INDEX ${name}`
    : `ALTER TABLE ${table} DROP CONSTRAINT ${name}`;
}

function restoreIndex(table: string, index: TableIndex): string {
  const { name, definition, constraint, constraintDefinition } = index;
  return constraint === null
    ? definition
    : `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${constraintDefinition}`;
}
