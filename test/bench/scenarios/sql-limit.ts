import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type Bench, withDatabase } from '../bench.ts';
import { makeCertificate, makeStock, type Size } from '../load/certificates.ts';
import { startLoad } from '../load/load.ts';
import { registrationOf, SQL_LIMIT } from '../report/measurement.ts';
import { countRegistered, tenantOf } from '../system/build.ts';
import { measureWindow } from '../system/usage.ts';

// What the database can do: one statement that reads whom the identifiers and the policy number belong to, and one that writes
// everything (`sql-limit.sql`), a transaction for each certificate. No service, no queue, no signature.

const READ = {
  name: 'read',
  text: `
    SELECT (SELECT json_agg(i) FROM vehicle_identifiers i WHERE i.key = ANY($1::bigint[])) AS identifiers,
      (SELECT json_agg(p) FROM policies p WHERE p.issuing_insurer_id = $2::uuid AND p.policy_number = $3) AS policies,
      (SELECT status FROM organizations WHERE id = $2::uuid) AS insurer`,
};
const WRITE = { name: 'write', text: 'SELECT limit_register($1::uuid, $2::jsonb, $3::bigint[])' };

const FUNCTIONS = readFileSync(new URL('sql-limit.sql', import.meta.url), 'utf8');

export async function installSqlLimit(client: Client): Promise<void> {
  await client.query(FUNCTIONS);
}

export async function registerBySql(
  client: Client,
  { read, write }: ReturnType<typeof valuesOf>,
): Promise<void> {
  await client.query({ ...READ, values: read });
  await client.query({ ...WRITE, values: write });
}

/** The values of both statements. */
export function valuesOf(insurerId: string, body: TransmissionBody) {
  const keys = body.vehicles.flatMap((vehicle) =>
    IDENTIFIER_KINDS.map((kind) => keyOf(`${kind}:${vehicle[kind]}`)),
  );
  return {
    read: [keys, insurerId, body.policy.policyNumber],
    write: [insurerId, JSON.stringify(body), keys],
  };
}

/** The first 64 bits of SHA-256, as a signed number. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}

/** Connections with which two cores do the most: more would only wait for each other. */
const LOADS = {
  1: { connections: 8, warmUpMs: 3_000, measureMs: 6_000, stock: 10_000 },
  500: { connections: 2, warmUpMs: 4_000, measureMs: 8_000, stock: 400 },
} as const;

export async function measureSqlLimit(bench: Bench, round: number, size: Size): Promise<void> {
  const { servers, scale, build } = bench;
  const { connections, warmUpMs, measureMs, stock } = LOADS[size];
  await withDatabase(bench, build, async (database) => {
    const { url } = database;
    const insurer = tenantOf(database, 0);
    const next = makeStock(Math.ceil(stock * scale), () =>
      valuesOf(insurer.organizationId, makeCertificate(insurer.organizationCode, size)),
    );
    const clients = Array.from({ length: connections }, () => new Client(url));
    await Promise.all(clients.map((client) => client.connect()));
    const clientOf = (lane: number) => {
      const client = clients[lane];
      if (client === undefined) throw new Error(`lane ${lane} has no connection`);
      return client;
    };
    try {
      await installSqlLimit(clientOf(0));
      const load = startLoad(connections, (lane) => registerBySql(clientOf(lane), next()));
      await load.during(warmUpMs * scale);
      const figures = await measureWindow(load, servers.watched, measureMs * scale);
      await load.stop();
      const registered = await countRegistered(url);
      const faults =
        registered === load.done() ? [] : [`${load.done()} written, ${registered} registered`];
      const scenario = registrationOf(size);
      bench.record({ scenario, subject: SQL_LIMIT, round, figures, faults });
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });
}
