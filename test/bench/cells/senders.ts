import { DEMO_POOL } from '../../../ops/demo/demonstration.ts';
import { withClient } from '../../../shared/db/with-client.ts';
import type { Sender } from '../load/backlog.ts';
import type { BenchDatabase } from '../servers.ts';

/** The insurer of the other cells, for itself. */
export function insurerAlone({ url, client: own }: BenchDatabase): Promise<Sender[]> {
  return readSenders(
    url,
    'SELECT id AS "organizationId", code AS "insurerCode" FROM organizations WHERE code = $1',
    [own.organizationCode],
  );
}

/** The management company of the demonstration pool, for these insurers of it. */
export function managementCompany(
  { url }: BenchDatabase,
  insurerCodes: readonly string[],
): Promise<Sender[]> {
  return readSenders(
    url,
    `SELECT id AS "organizationId", insurer_code AS "insurerCode"
     FROM organizations, unnest($2::text[]) AS insurer_code WHERE code = $1`,
    [DEMO_POOL.managementCompany, insurerCodes],
  );
}

/** So many insurers of the demonstration pool, made where they are missing, each for itself. */
export function insurersOfPool({ url }: BenchDatabase, count: number): Promise<Sender[]> {
  return readSenders(
    url,
    `WITH made AS (
       INSERT INTO organizations (code, name, type)
       SELECT 'INS-MANY-' || n, 'Insurer ' || n, 'INSURANCE_COMPANY' FROM generate_series(1, $1::int) n
       ON CONFLICT DO NOTHING
       RETURNING id, code
     ), members AS (
       INSERT INTO pool_memberships (pool_id, insurer_id, valid_from)
       SELECT pool.id, made.id, '2025-01-01' FROM made, organizations pool WHERE pool.code = $2
     )
     SELECT id AS "organizationId", code AS "insurerCode" FROM made
     UNION ALL
     (SELECT id, code FROM organizations WHERE code LIKE 'INS-MANY-%' ORDER BY code LIMIT $1)`,
    [count, DEMO_POOL.code],
  );
}

function readSenders(
  url: string,
  statement: string,
  values: readonly unknown[],
): Promise<Sender[]> {
  return withClient(url, 'bench-senders', async (client) => {
    const { rows } = await client.query<Sender>(statement, [...values]);
    return rows;
  });
}
