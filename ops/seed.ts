import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Scope } from '../shared/contract/enums.ts';
import { openDb, TRANSACTION_TIMEOUT_MS, type Tx } from '../shared/db/prisma.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import type { Pepper } from '../shared/platform/config/config-values.ts';
import type { Logger } from '../shared/platform/logger.ts';
import { type Keyring, makeKeyring, SealError } from '../shared/platform/secrets/sealing.ts';
import {
  type ClientSecrets,
  createClient,
  makeClientId,
  makeClientSecrets,
  matchClientSecret,
  openSigningSecret,
  rotateClientSecrets,
  type SecretKeys,
} from '../shared/store/access/clients.ts';
import { requireKeys } from '../shared/store/keys/key-checks.ts';
import {
  DEMO_CLIENTS,
  DEMO_ORGANIZATIONS,
  DEMO_POOL,
  DEMO_REFERENCE_REGION,
  DEMO_REFERENCE_VEHICLES,
  type DemoClient,
} from './demo/demonstration.ts';
import { DemoStaff, hasAllStaff, seedStaff } from './seed/staff.ts';

export const DEMO_CLIENTS_FILE = 'demo-clients.json';

const SeededClient = z.object({
  name: z.string(),
  organizationCode: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  signingSecret: z.string(),
  scopes: z.array(Scope),
  rateLimitPerMinute: z.int(),
});
export type SeededClient = z.infer<typeof SeededClient>;

/** The file of credentials, DATA_DIR/demo-clients.json (decisions.md, "Demonstration data"). */
export const DemoCredentials = z.object({
  clients: z.array(SeededClient),
  adminUsers: z.array(DemoStaff),
});
export type DemoCredentials = z.infer<typeof DemoCredentials>;

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly config: Pick<
    ServiceConfig,
    'nodeEnv' | 'dataDir' | 'encryptionKeys' | 'clientSecretPepper'
  >;
  readonly logger: Logger;
}

const LOCK = 'demonstration data';

/**
 * Writes the demonstration data to a migrated database, and its random secrets to DATA_DIR/demo-clients.json (mode 0600).
 * A second run changes nothing. When the file is missing or belongs to another database, all demonstration clients and
 * users get new secrets. Throws when NODE_ENV is production.
 */
export async function seedDemonstration({
  databaseUrl,
  config,
  logger,
}: SeedOptions): Promise<DemoCredentials> {
  if (config.nodeEnv === 'production')
    throw new Error('demonstration data is never seeded when NODE_ENV is production');
  const keyring = makeKeyring(config.encryptionKeys);
  const keys: SecretKeys = { keyring, pepper: config.clientSecretPepper[0] };
  const path = join(resolve(config.dataDir), DEMO_CLIENTS_FILE);
  const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'seed' });
  try {
    await requireKeys(db, config);
    return await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${LOCK}))`;
        const latest = await readCredentials(path);
        const valid =
          latest !== undefined &&
          (await areValid(tx, latest, { keyring, peppers: config.clientSecretPepper }))
            ? latest
            : undefined;
        const hasStaff = valid !== undefined && (await hasAllStaff(tx, valid.adminUsers));
        if (valid !== undefined && hasStaff) return valid;
        await seedOrganizations(tx);
        await seedReferenceData(tx);
        const clients = valid?.clients ?? (await seedClients(tx, keys));
        const credentials: DemoCredentials = { clients, adminUsers: await seedStaff(tx, keyring) };
        // Inside the transaction, so that no secrets are committed that the file lacks.
        await writeCredentials(path, credentials);
        logger.info(
          { clients: clients.length, path: DEMO_CLIENTS_FILE },
          'demonstration clients or users have new secrets',
        );
        return credentials;
      },
      { timeout: TRANSACTION_TIMEOUT_MS },
    );
  } finally {
    await db.$disconnect();
  }
}

/** Undefined when the file does not exist or is not valid. */
async function readCredentials(path: string): Promise<DemoCredentials | undefined> {
  try {
    return DemoCredentials.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

async function seedOrganizations(tx: Tx): Promise<void> {
  await tx.organization.createMany({ data: [...DEMO_ORGANIZATIONS], skipDuplicates: true });
  const ids = await organizationIds(tx);
  const poolId = idOf(ids, DEMO_POOL.code);
  await tx.$executeRaw`
    INSERT INTO insurance_pools (organization_id, lead_insurer_id, management_company_id)
    VALUES (${poolId}::uuid, ${idOf(ids, DEMO_POOL.leadInsurer)}::uuid, ${idOf(ids, DEMO_POOL.managementCompany)}::uuid)
    ON CONFLICT DO NOTHING`;
  for (const { insurer, validFrom, validTo } of DEMO_POOL.members) {
    await tx.$executeRaw`
      INSERT INTO pool_memberships (pool_id, insurer_id, valid_from, valid_to)
      VALUES (${poolId}::uuid, ${idOf(ids, insurer)}::uuid, ${validFrom}::date, ${validTo}::date)
      ON CONFLICT DO NOTHING`;
  }
}

async function seedReferenceData(tx: Tx): Promise<void> {
  const added =
    await tx.$executeRaw`INSERT INTO reference_regions (region) VALUES (${DEMO_REFERENCE_REGION}) ON CONFLICT DO NOTHING`;
  if (added === 0) return;
  await tx.$executeRaw`
    INSERT INTO reference_vehicles (region, plate_number, mv_file_number, engine_number, chassis_number)
    SELECT ${DEMO_REFERENCE_REGION}, * FROM unnest(
      ${DEMO_REFERENCE_VEHICLES.map((row) => row.plateNumber)}::text[],
      ${DEMO_REFERENCE_VEHICLES.map((row) => row.mvFileNumber)}::text[],
      ${DEMO_REFERENCE_VEHICLES.map((row) => row.engineNumber)}::text[],
      ${DEMO_REFERENCE_VEHICLES.map((row) => row.chassisNumber)}::text[])`;
}

async function seedClients(tx: Tx, keys: SecretKeys): Promise<SeededClient[]> {
  const ids = await organizationIds(tx);
  const seeded: SeededClient[] = [];
  for (const demo of DEMO_CLIENTS) {
    const secrets = makeClientSecrets();
    const clientId = await seedClient(tx, demo, idOf(ids, demo.organizationCode), secrets, keys);
    const { name, organizationCode, scopes, rateLimitPerMinute } = demo;
    seeded.push({
      name,
      organizationCode,
      clientId,
      ...secrets,
      scopes: [...scopes],
      rateLimitPerMinute,
    });
  }
  return seeded;
}

/** An existing client keeps its id, because its transmissions refer to it, and gets new secrets. */
async function seedClient(
  tx: Tx,
  demo: DemoClient,
  organizationId: string,
  secrets: ClientSecrets,
  keys: SecretKeys,
): Promise<string> {
  const { name, status, scopes, ipAllowlist, rateLimitPerMinute } = demo;
  const known = await tx.apiClient.findFirst({
    where: { name, organizationId },
    select: { id: true, clientId: true },
  });
  if (known !== null) {
    await rotateClientSecrets(
      tx,
      { apiClientId: known.id, clientId: known.clientId, overlapUntil: new Date() },
      secrets,
      keys,
    );
    return known.clientId;
  }
  const clientId = makeClientId();
  await createClient(
    tx,
    { clientId, name, organizationId, status, scopes, ipAllowlist, rateLimitPerMinute },
    secrets,
    keys,
  );
  return clientId;
}

interface VerifyingKeys {
  readonly keyring: Keyring;
  readonly peppers: readonly Pepper[];
}

/** Whether the database contains every demonstration client with exactly these secrets. */
async function areValid(
  tx: Tx,
  { clients }: DemoCredentials,
  keys: VerifyingKeys,
): Promise<boolean> {
  if (!DEMO_CLIENTS.every(({ name }) => clients.some((client) => client.name === name)))
    return false;
  for (const client of clients) {
    const stored = await tx.clientSecret.findMany({
      where: { client: { clientId: client.clientId }, expiresAt: null },
      select: { kind: true, version: true, protected: true },
    });
    const isStored = stored.length === 2 && stored.every((secret) => isSame(secret, client, keys));
    if (!isStored) return false;
  }
  return true;
}

function isSame(
  { kind, version, protected: stored }: { kind: string; version: number; protected: Uint8Array },
  { clientId, clientSecret, signingSecret }: SeededClient,
  { keyring, peppers }: VerifyingKeys,
): boolean {
  if (kind === 'CLIENT_SECRET')
    return matchClientSecret(clientSecret, [stored], peppers) !== undefined;
  try {
    return (
      openSigningSecret(keyring, clientId, { version, sealed: Buffer.from(stored) }) ===
      signingSecret
    );
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

async function organizationIds(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.organization.findMany({ select: { id: true, code: true } });
  return new Map(rows.map(({ id, code }) => [code, id]));
}

function idOf(ids: ReadonlyMap<string, string>, code: string): string {
  const id = ids.get(code);
  if (id === undefined) throw new Error(`organization ${code} is missing`);
  return id;
}

/** Writes the file atomically; other users can never read it. */
async function writeCredentials(path: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
