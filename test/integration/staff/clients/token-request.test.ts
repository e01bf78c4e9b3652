import { issueToken } from '../../../../api/machine/issue-token.ts';
import type { TokenResponse } from '../../../../shared/contract/machine/token.ts';
import type { ClientWithSecrets } from '../../../../shared/contract/staff/clients.ts';
import type { Organization } from '../../../../shared/contract/staff/organizations.ts';
import type { Db } from '../../../../shared/db/prisma.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { type MachineCredentials, sendSigned } from '../../../env/api/machine-client.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/clients';
const PATH = '/ppai/policies/search?cocNumber=COC-NONE';

let api: TestApi;
let admin: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  admin = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

async function issue(): Promise<MachineCredentials & { readonly id: string }> {
  const path = '/admin/v1/organizations?text=INS-ALPHA';
  const [alpha] = (await listPage<Organization>(admin, path)).items;
  const body = { organizationId: alpha?.id, name: 'asks', scopes: ['ppai:read', 'ppai:transmit'] };
  const { client, clientSecret, signingSecret } = (await admin.post(BASE, body)).envelope
    .data as unknown as ClientWithSecrets;
  return {
    id: client.id,
    clientId: client.clientId,
    clientSecret: clientSecret ?? '',
    signingSecret: signingSecret ?? '',
  };
}

/** Requests a token. `act` runs after the first check of the client has read the database. */
async function requestTokenWhile(
  { clientId, clientSecret }: MachineCredentials,
  act: () => Promise<unknown>,
): Promise<TokenResponse> {
  const { context } = api.api;
  let isFirst = true;
  const db = new Proxy(context.db, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name);
      return async (...statement: Parameters<Db['$queryRaw']>) => {
        const rows = await target.$queryRaw(...statement);
        if (isFirst) {
          isFirst = false;
          await act();
        }
        return rows;
      };
    },
  });
  const body = {
    grant_type: 'client_credentials' as const,
    client_id: clientId,
    client_secret: clientSecret,
  };
  const request = { body } as Parameters<typeof issueToken>[1];
  return (await issueToken({ ...context, db }, request)).data as TokenResponse;
}

async function post(path: string, body?: object): Promise<void> {
  const { status, text } = await admin.post(path, body);
  if (status !== 200) throw new Error(text);
}

const tokensOf = async (id: string) =>
  api.api.context.db.accessToken.count({
    where: { apiClientId: id, expiresAt: { gt: new Date() } },
  });

describe('a token request in progress', () => {
  it('gets a token that was issued after a concurrent revocation, so that it is valid', async () => {
    const client = await issue();
    let revokedAt = 0;
    const { access_token: token } = await requestTokenWhile(client, async () => {
      await post(`${BASE}/${client.id}/revoke-tokens`);
      revokedAt = Date.now();
    });
    const [stored] = await api.api.context.db.accessToken.findMany({
      where: { apiClientId: client.id },
    });
    expect(stored?.issuedAt.getTime()).toBeGreaterThanOrEqual(revokedAt);
    expect(outcomeOf(await sendSigned(api, client, token, { path: PATH })).status).toBe(200);
  });

  it('is refused when its secret is replaced and the tokens revoked meanwhile', async () => {
    const client = await issue();
    const rotation = { secrets: ['CLIENT_SECRET'], overlapSeconds: 0, expectedVersion: 1 };
    const pending = requestTokenWhile(client, async () => {
      await post(`${BASE}/${client.id}/rotate-secrets`, rotation);
      await post(`${BASE}/${client.id}/revoke-tokens`);
    });
    await expect(pending).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await tokensOf(client.id)).toBe(0);
  });

  it('is refused when the client is suspended meanwhile', async () => {
    const client = await issue();
    const pending = requestTokenWhile(client, () => post(`${BASE}/${client.id}/suspend`));
    await expect(pending).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await tokensOf(client.id)).toBe(0);
  });

  it('gets the scopes that the client has when the token is issued', async () => {
    const client = await issue();
    const change = { scopes: ['ppai:read'], expectedVersion: 1 };
    const granted = await requestTokenWhile(client, () =>
      admin.send({ method: 'PATCH', path: `${BASE}/${client.id}`, body: change }),
    );
    expect(granted.scope).toBe('ppai:read');
  });
});

describe('a token request that meets an unfinished rotation', () => {
  it('waits for it and is refused with the old secret', async () => {
    const { db } = api.api.context;
    const client = await issue();
    const { pending } = await db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE api_clients SET version = version + 1 WHERE id = ${client.id}::uuid`;
      await tx.$executeRaw`
        UPDATE client_secrets SET expires_at = now() WHERE api_client_id = ${client.id}::uuid AND kind = 'CLIENT_SECRET'`;
      const pending = requestTokenWhile(client, () => Promise.resolve());
      pending.catch(() => undefined);
      await untilLockIsAwaited(db);
      return { pending };
    });
    await expect(pending).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await tokensOf(client.id)).toBe(0);
  });
});

async function untilLockIsAwaited(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if ((row?.waiting ?? 0) > 0) return;
  }
}
