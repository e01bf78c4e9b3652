import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_CLIENTS_FILE, seedDemonstration } from '../../../../ops/seed.ts';
import { SCOPES } from '../../../../shared/contract/enums.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { makePepper } from '../../../../shared/platform/config/config-values.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

const logger = makeLogger({ level: 'silent', name: 'test' });
let dataDir: string;
let database: TestDatabase;
let db: Db;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'seed-test-'));
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const keys = {
  encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
  clientSecretPepper: [makePepper(randomBytes(32))] as const,
};
const seed = (more: object = {}) =>
  seedDemonstration({
    databaseUrl: database.url,
    config: { nodeEnv: 'test', dataDir, ...keys, ...more },
    logger,
  });
const file = () => join(dataDir, DEMO_CLIENTS_FILE);
const readFile = () => JSON.parse(readFileSync(file(), 'utf8'));

async function dump(): Promise<unknown> {
  return [
    await db.organization.findMany({ orderBy: { code: 'asc' } }),
    await db.poolMembership.findMany({ orderBy: { id: 'asc' } }),
    await db.apiClient.findMany({ orderBy: { name: 'asc' } }),
    await db.clientSecret.findMany({ orderBy: { id: 'asc' } }),
    await db.referenceVehicle.count(),
  ];
}

describe('the demonstration data', () => {
  it('has the organizations, the pool and its members', async () => {
    await seed();
    const organizations = await db.organization.findMany({ orderBy: { code: 'asc' } });
    expect(organizations.map(({ code, type, status }) => [code, type, status])).toEqual([
      ['INS-ALPHA', 'INSURANCE_COMPANY', 'ACTIVE'],
      ['INS-BRAVO', 'INSURANCE_COMPANY', 'ACTIVE'],
      ['INS-CHARLIE', 'INSURANCE_COMPANY', 'ACTIVE'],
      ['INS-DORMANT', 'INSURANCE_COMPANY', 'SUSPENDED'],
      ['MGT-ONE', 'MANAGEMENT_COMPANY', 'ACTIVE'],
      ['POOL-NORTH', 'INSURANCE_POOL', 'ACTIVE'],
      ['REG', 'REGULATOR', 'ACTIVE'],
    ]);
    const rows = await db.$queryRaw<{ text: string }[]>`
      SELECT concat_ws(' ', p.code, l.code, m.code, i.code, s.valid_from, s.valid_to) AS text
      FROM pool_memberships s JOIN insurance_pools q ON q.organization_id = s.pool_id
      JOIN organizations p ON p.id = s.pool_id JOIN organizations l ON l.id = q.lead_insurer_id
      JOIN organizations m ON m.id = q.management_company_id JOIN organizations i ON i.id = s.insurer_id ORDER BY i.code`;
    expect(rows.map(({ text }) => text)).toEqual([
      'POOL-NORTH INS-ALPHA MGT-ONE INS-ALPHA 2025-01-01',
      'POOL-NORTH INS-ALPHA MGT-ONE INS-BRAVO 2025-01-01',
      'POOL-NORTH INS-ALPHA MGT-ONE INS-CHARLIE 2024-01-01 2025-12-31',
    ]);
  });

  it('has the clients, and their secrets in a file that only its owner can read', async () => {
    await seed();
    const clients = await db.apiClient.findMany({ include: { organization: true } });
    const facts = Object.fromEntries(
      clients.map((client) => [
        client.name,
        [
          client.organization.code,
          client.status,
          client.scopes.length,
          client.ipAllowlist,
          client.rateLimitPerMinute,
        ],
      ]),
    );
    expect(facts).toEqual({
      alpha: ['INS-ALPHA', 'ACTIVE', 5, [], 600_000],
      bravo: ['INS-BRAVO', 'ACTIVE', 5, [], 600_000],
      charlie: ['INS-CHARLIE', 'ACTIVE', 5, [], 600_000],
      'mgt-one': ['MGT-ONE', 'ACTIVE', 5, [], 600_000],
      'alpha-default-rate': ['INS-ALPHA', 'ACTIVE', 5, [], 120],
      'alpha-read-only': ['INS-ALPHA', 'ACTIVE', 1, [], 600_000],
      'alpha-allowlisted': ['INS-ALPHA', 'ACTIVE', 5, ['203.0.113.0/24'], 600_000],
      'alpha-suspended': ['INS-ALPHA', 'SUSPENDED', 5, [], 600_000],
      dormant: ['INS-DORMANT', 'ACTIVE', 5, [], 600_000],
      verifier: ['REG', 'ACTIVE', 1, [], 600_000],
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const written = readFile();
    expect(written.adminUsers).toEqual(
      ['administrator', 'reviewer', 'auditor'].map((name) => ({
        email: `${name}@regulator.example`,
        password: expect.stringMatching(/^[\w-]{20}$/),
        role: name.toUpperCase(),
      })),
    );
    expect(written.clients).toHaveLength(10);
    expect(written.clients[0]).toEqual({
      name: 'alpha',
      organizationCode: 'INS-ALPHA',
      clientId: clients.find(({ name }) => name === 'alpha')?.clientId,
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      signingSecret: expect.stringMatching(/^[\w-]{43}$/),
      scopes: [...SCOPES],
      rateLimitPerMinute: 600_000,
    });
  });

  it('has reference vehicles of NCR and none of CAR', async () => {
    await seed();
    expect(await db.$queryRaw`SELECT region FROM reference_regions`).toEqual([{ region: 'NCR' }]);
    const rows = await db.referenceVehicle.findMany({ orderBy: { id: 'asc' } });
    const identifiers = rows.map(({ plateNumber, mvFileNumber, engineNumber, chassisNumber }) => [
      plateNumber,
      mvFileNumber,
      engineNumber,
      chassisNumber,
    ]);
    expect(identifiers).toHaveLength(100);
    expect(identifiers[0]).toEqual(['NCR1001', '130100000001001', 'ENG1001NCR', 'CHS1001NCR']);
    expect(identifiers[99]).toEqual(['NCR1100', '130100000001100', 'ENG1100NCR', 'CHS1100NCR']);
  });
});

describe('seeding', () => {
  it('changes nothing the second time', async () => {
    const first = await seed();
    const before = [await dump(), readFile()];
    expect(await seed()).toEqual(first);
    expect([await dump(), readFile()]).toEqual(before);
  });

  it('makes new secrets for the same clients when the file is missing, and revokes the old ones', async () => {
    const first = await seed();
    rmSync(file());
    const second = await seed();
    expect(second.clients.map(({ clientId }) => clientId)).toEqual(
      first.clients.map(({ clientId }) => clientId),
    );
    expect(second.clients[0]?.clientSecret).not.toBe(first.clients[0]?.clientSecret);
    expect(await db.clientSecret.count({ where: { expiresAt: null } })).toBe(20);
    expect(await seed()).toEqual(second);
    expect(await db.referenceVehicle.count()).toBe(100);
  });

  it('makes new secrets when the file belongs to another database', async () => {
    await seed();
    const others = {
      ...readFile(),
      clients: readFile().clients.map((one: object) => ({ ...one, clientSecret: 'other' })),
    };
    writeFileSync(file(), JSON.stringify(others));
    const second = await seed();
    expect(second.clients[0]?.clientSecret).not.toBe('other');
  });

  it('refuses other keys than those of the database, and does not change the file', async () => {
    const first = await seed();
    await expect(seed({ clientSecretPepper: [makePepper(randomBytes(32))] })).rejects.toThrow(
      /CLIENT_SECRET_PEPPER lacks the key/,
    );
    expect(readFile()).toEqual(first);
  });

  it('twice at the same time results in one set of clients and a matching file', async () => {
    await Promise.all([seed(), seed()]);
    expect(await db.apiClient.count()).toBe(10);
    const written = readFile();
    expect(await seed()).toEqual(written);
  });

  it('refuses in production and changes nothing', async () => {
    await expect(seed({ nodeEnv: 'production' })).rejects.toThrow(/production/);
    expect(await db.organization.count()).toBe(0);
  });
});
