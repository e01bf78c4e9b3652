import type { Client } from 'pg';
import { userOf } from '../platform/config/database-url.ts';
import { withClient } from './with-client.ts';

// The role that the service runs as owns nothing and has only the privileges granted here. Even an attacker who makes the
// service run a statement cannot change append-only tables.

/** The part of a pg Client or Pool that is used. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE' | 'EXECUTE';
type Kind = 'table' | 'view' | 'sequence' | 'function';

interface Relation {
  readonly schema: string;
  readonly name: string;
  /** The name for a statement; a function's name includes its arguments. */
  readonly sql: string;
  readonly kind: Kind;
  /** Whether the session's role may grant privileges on it. */
  readonly isOwn: boolean;
}

const PRIVILEGES: Readonly<Record<Kind, readonly Privilege[]>> = {
  table: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  view: ['SELECT'],
  sequence: ['SELECT', 'USAGE'],
  function: ['EXECUTE'],
};
/** Tables on which the service has fewer privileges. All others, including those of later releases, get all of the above. */
export const FEWER_PRIVILEGES: Readonly<Record<string, readonly Privilege[]>> = {
  'public.audit_entries': ['SELECT', 'INSERT'],
  'public.audit_head': ['SELECT'],
  'public._prisma_migrations': ['SELECT'],
  'bullmq.migration': ['SELECT'],
};
const QUEUE_SCHEMA = 'bullmq';
const SCHEMAS = ['public', QUEUE_SCHEMA];

/** Relations of extensions are excluded, because an extension's owner keeps them. */
const RELATIONS = `
  SELECT n.nspname AS schema, c.relname AS name, c.oid::regclass::text AS sql,
    CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' ELSE 'table' END AS kind,
    pg_has_role(c.relowner, 'USAGE') AS "isOwn"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT n.nspname, p.proname, p.oid::regprocedure::text, 'function', pg_has_role(p.proowner, 'USAGE')
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY($1) AND p.prorettype <> 'trigger'::regtype
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  ORDER BY 1, 4, 3`;

/** Serializes concurrent grants, because a row of the catalog allows one writer at a time. */
const GRANT_LOCK = 72_707_370;

export class RoleError extends Error {
  override readonly name = 'RoleError';
}

/**
 * Grants the role of `databaseUrl` the privileges that the service needs and revokes all others on the registry's tables. Creates
 * the role if the owner may do so. Does nothing when both URLs name the same role. Run it after every migration.
 * Throws {@link RoleError} when grants cannot restrict the role: it is a superuser or an owner of the tables.
 */
export async function grantToService(ownerUrl: string, databaseUrl: string): Promise<void> {
  const role = userOf(databaseUrl);
  if (role === undefined || ownerUrl === databaseUrl) return;
  await withClient(ownerUrl, 'grants', async (client) => {
    if ((await ownerOf(client)) === role) return;
    await client.query('SELECT pg_advisory_lock($1)', [GRANT_LOCK]);
    await makeRole(client, role, databaseUrl);
    await requireRestricted(client, role);
    await client.query('BEGIN');
    await grantAll(client, role);
    await client.query('COMMIT');
  });
}

async function ownerOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_user::text AS name');
  return rows[0]?.name ?? '';
}

async function makeRole(client: Client, role: string, databaseUrl: string): Promise<void> {
  const { rows } = await client.query<{ known: boolean; may: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS known, rolsuper OR rolcreaterole AS may
     FROM pg_roles WHERE rolname = current_user`,
    [role],
  );
  if (rows[0]?.known === true) return;
  const name = client.escapeIdentifier(role);
  if (rows[0]?.may !== true)
    throw new RoleError(
      `the role ${name} of DATABASE_URL does not exist and ${await ownerOf(client)} may not create it: let an administrator run CREATE ROLE ${name} LOGIN PASSWORD '…', then run this again`,
    );
  const password = decodeURIComponent(new URL(databaseUrl).password);
  const secret = password === '' ? '' : ` PASSWORD ${client.escapeLiteral(password)}`;
  await client.query(`CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE${secret}`);
}

/** Privileges cannot be withheld from a superuser or an owner. */
async function requireRestricted(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ super: boolean; owns: boolean }>(
    `SELECT r.rolsuper AS super, pg_has_role(r.oid, c.relowner, 'MEMBER') AS owns
     FROM pg_roles r, pg_class c WHERE r.rolname = $1 AND c.oid = 'public.audit_entries'::regclass`,
    [role],
  );
  const [found] = rows;
  if (found === undefined || (!found.super && !found.owns)) return;
  throw new RoleError(
    `the role "${role}" of DATABASE_URL ${found.super ? 'is a superuser' : 'owns the tables, or is a member of the role that does'}: set DATABASE_URL to another role, which "npm run migrate" creates, and name the owner in DATABASE_OWNER_URL`,
  );
}

async function grantAll(client: Client, role: string): Promise<void> {
  const to = client.escapeIdentifier(role);
  const { rows: relations } = await client.query<Relation>(RELATIONS, [SCHEMAS]);
  for (const { schema, name, sql, kind, isOwn } of relations) {
    // The service itself created this sequence for a queue.
    if (!isOwn) continue;
    const wanted = FEWER_PRIVILEGES[`${schema}.${name}`] ?? PRIVILEGES[kind];
    const on = kind === 'sequence' || kind === 'function' ? `${kind.toUpperCase()} ${sql}` : sql;
    await client.query(`REVOKE ALL ON ${on} FROM ${to}`);
    await client.query(`GRANT ${wanted.join(', ')} ON ${on} TO ${to}`);
  }
  for (const schema of SCHEMAS) {
    // BullMQ creates a sequence for each queue name when it adds jobs in bulk.
    const rights = schema === QUEUE_SCHEMA ? 'USAGE, CREATE' : 'USAGE';
    await client.query(`GRANT ${rights} ON SCHEMA ${schema} TO ${to}`);
    // For objects that another tool's migration creates. The next run grants the exact privileges.
    for (const kind of ['table', 'sequence', 'function'] as const)
      await client.query(
        `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${PRIVILEGES[kind].join(', ')} ON ${kind.toUpperCase()}S TO ${to}`,
      );
  }
  await grantOnDatabase(client, role);
}

/** CONNECT, and TEMPORARY because BullMQ adds jobs in bulk through temporary tables. By default every role has both. */
async function grantOnDatabase(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string; has: boolean }>(
    `SELECT current_database() AS name,
       has_database_privilege($1, current_database(), 'CONNECT') AND has_database_privilege($1, current_database(), 'TEMPORARY') AS has`,
    [role],
  );
  const [database] = rows;
  if (database === undefined || database.has) return;
  await client.query(
    `GRANT CONNECT, TEMPORARY ON DATABASE ${client.escapeIdentifier(database.name)} TO ${client.escapeIdentifier(role)}`,
  );
}

/** The privileges that the service needs and the session's role lacks, as messages. */
export async function checkGrants(database: Queryable): Promise<string[]> {
  const { rows } = await database.query(RELATIONS, [SCHEMAS]);
  const wanted = (rows as Relation[]).flatMap(({ schema, name, sql, kind }) =>
    (FEWER_PRIVILEGES[`${schema}.${name}`] ?? PRIVILEGES[kind]).map((privilege) => ({
      kind,
      sql,
      privilege,
    })),
  );
  const lists = [
    wanted.map(({ kind }) => kind),
    wanted.map(({ sql }) => sql),
    wanted.map(({ privilege }) => privilege),
  ];
  const { rows: missing } = await database.query(
    `SELECT w.privilege, w.sql FROM unnest($1::text[], $2::text[], $3::text[]) AS w (kind, sql, privilege)
     WHERE NOT CASE w.kind
       WHEN 'sequence' THEN has_sequence_privilege(w.sql, w.privilege)
       WHEN 'function' THEN has_function_privilege(w.sql, w.privilege)
       ELSE has_table_privilege(w.sql, w.privilege) END`,
    lists,
  );
  return (missing as { privilege: string; sql: string }[]).map(
    ({ privilege, sql }) =>
      `the role of DATABASE_URL lacks ${privilege} on ${sql}: run "npm run migrate" with its owner in DATABASE_OWNER_URL`,
  );
}

/** The reason why grants cannot restrict the session's role; undefined when they can. */
export async function findUnrestrictedRole(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query(
    `SELECT r.rolsuper AS super, pg_has_role(c.relowner, 'MEMBER') AS owns
     FROM pg_roles r, pg_class c WHERE r.rolname = current_user AND c.oid = to_regclass('public.audit_entries')`,
    [],
  );
  const [found] = rows as { super: boolean; owns: boolean }[];
  if (found === undefined || (!found.super && !found.owns)) return undefined;
  return `the service runs as ${found.super ? 'a superuser' : 'the owner of its tables'}, so the audit log is not append-only for it: set DATABASE_URL to another role, and name the owner in DATABASE_OWNER_URL for "npm run migrate"`;
}
