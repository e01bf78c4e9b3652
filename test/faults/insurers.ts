import { SCOPES } from '../../shared/contract/enums.ts';
import type { Db } from '../../shared/db/prisma.ts';
import {
  type ClientSecrets,
  createClient,
  makeClientId,
  makeClientSecrets,
  type SecretKeys,
} from '../../shared/store/access/clients.ts';

/** An insurer in addition to the demonstration data, with a client that has all scopes. */
export interface Insurer extends ClientSecrets {
  readonly code: string;
  readonly name: string;
  readonly clientId: string;
}

const PLENTY_PER_MINUTE = 600_000;

/** Adds an insurer as the regulator would. `name` is also the name of its client. */
export async function addInsurer(db: Db, keys: SecretKeys, name: string): Promise<Insurer> {
  const code = `INS-${name.toUpperCase()}`;
  const clientId = makeClientId();
  const secrets = makeClientSecrets();
  await db.$transaction(async (tx) => {
    const { id } = await tx.organization.create({
      data: { code, name, type: 'INSURANCE_COMPANY', status: 'ACTIVE' },
      select: { id: true },
    });
    const client = {
      clientId,
      name,
      organizationId: id,
      status: 'ACTIVE',
      scopes: SCOPES,
      ipAllowlist: [],
      rateLimitPerMinute: PLENTY_PER_MINUTE,
    } as const;
    await createClient(tx, client, secrets, keys);
  });
  return { code, name, clientId, ...secrets };
}
