import { withClient } from '../../../shared/platform/with-client.ts';
import { type Backlog, type BacklogOptions, openBacklog, type Sender } from '../load/backlog.ts';
import type { BenchDatabase } from '../servers.ts';

/** Of so many organizations in turn: the insurer of the other cells alone, or such as are made here. */
export async function openBacklogOf(
  organizations: number,
  options: Omit<BacklogOptions, 'senders'>,
): Promise<Backlog> {
  const senders = await findSenders(options.database, organizations);
  return openBacklog({ ...options, senders });
}

function findSenders({ url, client: own }: BenchDatabase, count: number): Promise<Sender[]> {
  return withClient(url, 'bench-senders', async (client) => {
    await client.query(
      `INSERT INTO organizations (code, name, type)
       SELECT 'INS-MANY-' || n, 'Insurer ' || n, 'INSURANCE_COMPANY' FROM generate_series(1, $1::int) n
       ON CONFLICT DO NOTHING`,
      [count],
    );
    const { rows } = await client.query<Sender>(
      `SELECT id AS "organizationId", code AS "insurerCode" FROM organizations
       WHERE CASE WHEN $1 THEN code = $2 ELSE code LIKE 'INS-MANY-%' END LIMIT $3`,
      [count === 1, own.organizationCode, count],
    );
    return rows;
  });
}
