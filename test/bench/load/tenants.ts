import { SCOPES } from '../../../shared/contract/enums.ts';
import { openDb } from '../../../shared/db/prisma.ts';
import { readConfig, requireServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import {
  createClient,
  makeClientId,
  makeClientSecrets,
} from '../../../shared/store/access/clients.ts';
import { requireKeys } from '../../../shared/store/keys/key-checks.ts';

/** An insurer that transmits for itself, and the credentials of its client. */
export interface Tenant {
  readonly organizationCode: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  /** As the load's requests name it in X-Forwarded-For. */
  readonly address: string;
}

const REQUESTS_PER_MINUTE_MAX = 600_000;

/** Adds insurers to a migrated database, each with one client. */
export async function makeTenants(
  databaseUrl: string,
  keys: NodeJS.ProcessEnv,
  count: number,
): Promise<Tenant[]> {
  const config = requireServiceConfig(readConfig({ ...keys, DATABASE_URL: databaseUrl }));
  const secretKeys = {
    keyring: makeKeyring(config.encryptionKeys),
    pepper: config.clientSecretPepper[0],
  };
  const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'bench' });
  try {
    // Notes the keys as those of this database, whatever is filled into it afterwards (D59).
    await requireKeys(db, config);
    return await db.$transaction(async (tx) => {
      const tenants: Tenant[] = [];
      for (let n = 1; n <= count; n += 1) {
        const code = `INS-BENCH-${n}`;
        const { id } = await tx.organization.create({
          data: { code, name: `Insurer ${n}`, type: 'INSURANCE_COMPANY' },
          select: { id: true },
        });
        const clientId = makeClientId();
        const secrets = makeClientSecrets();
        const client = {
          clientId,
          name: 'load',
          organizationId: id,
          status: 'ACTIVE',
          scopes: SCOPES,
          ipAllowlist: [],
          rateLimitPerMinute: REQUESTS_PER_MINUTE_MAX,
        } as const;
        await createClient(tx, client, secrets, secretKeys);
        tenants.push({
          organizationCode: code,
          organizationId: id,
          clientId,
          ...secrets,
          address: `10.0.0.${n}`,
        });
      }
      return tenants;
    });
  } finally {
    await db.$disconnect();
  }
}
