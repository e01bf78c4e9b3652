import { SCOPES } from '../../../../shared/contract/enums.ts';
import type { Client, ClientWithSecrets } from '../../../../shared/contract/staff/clients.ts';
import type { Organization } from '../../../../shared/contract/staff/organizations.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import {
  askToken,
  type MachineCredentials,
  sendSigned,
  tokenFor,
} from '../../../env/api/machine-client.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { actsOn, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/clients';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const SEARCH = '/ppai/policies/search?cocNumber=COC-NONE';

let stack: Stack;
let admin: StaffBrowser;
let alphaId: string;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  const path = '/admin/v1/organizations?text=INS-ALPHA';
  alphaId = (await listPage<Organization>(admin, path)).items[0]?.id ?? NOBODY;
});
afterAll(() => stack.stop());

type Issued = MachineCredentials & { readonly id: string; readonly client: Client };

let issued = 0;
async function issue(body: object = {}): Promise<Issued> {
  issued += 1;
  const { envelope, status, text } = await admin.post(BASE, {
    organizationId: alphaId,
    name: `issued-${issued}`,
    scopes: SCOPES,
    ...body,
  });
  if (status !== 201) throw new Error(text);
  const { client, clientSecret, signingSecret } = envelope.data as unknown as ClientWithSecrets;
  return {
    id: client.id,
    client,
    clientId: client.clientId,
    clientSecret: clientSecret ?? '',
    signingSecret: signingSecret ?? '',
  };
}

const change = (id: string, body: object) =>
  admin.send({ method: 'PATCH', path: `${BASE}/${id}`, body });
const search = (client: Issued, token: string, from?: string) =>
  sendSigned(stack, client, token, { path: SEARCH, ...(from === undefined ? {} : { from }) });

describe('issuing a client', () => {
  it('shows both secrets once, and with them the client gets a token and transmits', async () => {
    const answer = await admin.post(BASE, {
      organizationId: alphaId,
      name: 'new in town',
      scopes: ['ppai:read', 'ppai:transmit'],
    });
    const { client, clientSecret, signingSecret } = answer.envelope
      .data as unknown as ClientWithSecrets;
    expect(answer.headers['location']).toBe(`${BASE}/${client.id}`);
    expect(client).toEqual({
      id: expect.any(String),
      clientId: expect.stringMatching(/^ppai-[0-9a-f]{18}$/),
      name: 'new in town',
      organization: expect.objectContaining({ code: 'INS-ALPHA' }),
      status: 'ACTIVE',
      scopes: ['ppai:read', 'ppai:transmit'],
      ipAllowlist: [],
      rateLimitPerMinute: 120,
      secrets: ['CLIENT_SECRET', 'SIGNING_SECRET'].map((kind) => ({
        kind,
        version: 1,
        createdAt: expect.any(String),
        expiresAt: null,
      })),
      version: 1,
      createdAt: expect.any(String),
    });
    const { clientId } = client;
    const credentials = {
      clientId,
      clientSecret: clientSecret ?? '',
      signingSecret: signingSecret ?? '',
    };
    const token = await tokenFor(stack, credentials);
    const body = makeBody();
    const transmitted = await sendSigned(stack, credentials, token, {
      path: '/ppai/policies',
      body,
    });
    expect({ status: transmitted.status, data: transmitted.envelope.data }).toMatchObject({
      status: 201,
      data: { status: 'ACCEPTED' },
    });

    const shownAgain = await admin.get(`${BASE}/${client.id}`);
    expect(shownAgain.envelope.data).toEqual(client);
    const audited = JSON.stringify(await actsOn(admin, 'CLIENT', client.id));
    const kept = JSON.stringify(await stack.api.context.db.apiClient.findMany());
    for (const text of [shownAgain.text, audited, kept]) {
      expect(text).not.toContain(clientSecret);
      expect(text).not.toContain(signingSecret);
    }
    expect(await actsOn(admin, 'CLIENT', client.id)).toEqual([
      {
        action: 'CLIENT_CREATED',
        before: null,
        after: {
          clientId,
          organizationId: alphaId,
          name: 'new in town',
          scopes: ['ppai:read', 'ppai:transmit'],
          ipAllowlist: [],
          rateLimitPerMinute: 120,
        },
      },
    ]);
  });

  it.each([
    [{ organizationId: NOBODY }, ['organizationId']],
    [{ organizationId: 'INS-ALPHA' }, ['organizationId']],
    [{ name: '' }, ['name']],
    [{ scopes: [] }, ['scopes']],
    [{ scopes: ['ppai:read', 'ppai:read'] }, ['scopes']],
    [{ scopes: ['ppai:everything'] }, ['scopes[0]']],
    [{ rateLimitPerMinute: 0 }, ['rateLimitPerMinute']],
    [{ rateLimitPerMinute: 1.5 }, ['rateLimitPerMinute']],
    [{ status: 'SUSPENDED' }, ['status']],
    [
      {
        ipAllowlist: [
          '203.0.113.0/24',
          '2001:db8::/32',
          '203.0.113.0/33',
          '203.0.113',
          '2001:db8::/129',
          '::ffff:203.0.113.7',
          'example.org',
          '10.0.0.0/8/8',
          'fe80::1%eth0',
        ],
      },
      [2, 3, 4, 5, 6, 7, 8].map((at) => `ipAllowlist[${at}]`),
    ],
  ])('is VALIDATION_FAILED with %j', async (changes, fields) => {
    const answer = await admin.post(BASE, {
      organizationId: alphaId,
      name: 'x',
      scopes: ['ppai:read'],
      ...changes,
    });
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields,
    });
  });
});

describe('the list of clients', () => {
  it('is filtered by organization, status, scope and text, counted, and paged newest first', async () => {
    const one = await issue({ name: 'kept one', scopes: ['vehicles:verify'] });
    const two = await issue({ name: 'kept two' });
    await admin.post(`${BASE}/${one.id}/suspend`);
    const listed = async (query: string) =>
      (await listAll<Client>(admin, `${BASE}?${query}`)).map(({ id }) => id);
    expect(await listed('text=KEPT')).toEqual([two.id, one.id]);
    expect(await listed(`text=${two.clientId}`)).toEqual([two.id]);
    expect(await listed('text=kept&status=SUSPENDED')).toEqual([one.id]);
    expect(await listed('text=kept&scope=ppai:transmit')).toEqual([two.id]);
    expect(await listed(`text=kept&organizationId=${alphaId}`)).toEqual([two.id, one.id]);
    expect(await listed(`text=kept&organizationId=${NOBODY}`)).toEqual([]);
    expect((await listPage(admin, `${BASE}?text=kept&limit=1`)).total).toBe(2);
  });

  it('is VALIDATION_FAILED for a filter that is none', async () => {
    expect(outcomeOf(await admin.get(`${BASE}?scope=all`)).code).toBe('VALIDATION_FAILED');
  });
});

describe('suspending a client', () => {
  it('kills its token on the next request and refuses new ones, until it is reactivated', async () => {
    const client = await issue();
    const token = await tokenFor(stack, client);
    expect((await search(client, token)).status).toBe(200);
    const suspended = await admin.post(`${BASE}/${client.id}/suspend`);
    expect(suspended.envelope.data).toMatchObject({ status: 'SUSPENDED', version: 2 });
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    expect(outcomeOf(await search(client, token))).toEqual(forbidden);
    expect(outcomeOf(await askToken(stack, client))).toEqual(forbidden);

    await admin.post(`${BASE}/${client.id}/reactivate`);
    expect((await search(client, token)).status).toBe(200);
    expect((await askToken(stack, client)).status).toBe(200);
    expect((await actsOn(admin, 'CLIENT', client.id)).slice(1)).toEqual([
      { action: 'CLIENT_SUSPENDED', before: { status: 'ACTIVE' }, after: { status: 'SUSPENDED' } },
      {
        action: 'CLIENT_REACTIVATED',
        before: { status: 'SUSPENDED' },
        after: { status: 'ACTIVE' },
      },
    ]);
  });

  it('twice is one act', async () => {
    const { id } = await issue();
    for (const verb of ['suspend', 'suspend', 'reactivate', 'reactivate']) {
      expect((await admin.post(`${BASE}/${id}/${verb}`)).status).toBe(200);
    }
    expect(await actsOn(admin, 'CLIENT', id)).toHaveLength(3);
  });
});

describe('revoking the tokens of a client', () => {
  it('ends all of them at once, and it may ask for another', async () => {
    const client = await issue();
    const [one, other] = [await tokenFor(stack, client), await tokenFor(stack, client)];
    const bystander = await stack.get('alpha', SEARCH);
    const revoked = await admin.post(`${BASE}/${client.id}/revoke-tokens`);
    expect({ status: revoked.status, data: revoked.envelope.data }).toEqual({
      status: 200,
      data: { revoked: 2 },
    });
    const invalid = { status: 401, code: 'INVALID_TOKEN' };
    expect(outcomeOf(await search(client, one))).toEqual(invalid);
    expect(outcomeOf(await search(client, other))).toEqual(invalid);
    expect([bystander.status, (await stack.get('alpha', SEARCH)).status]).toEqual([200, 200]);
    expect((await search(client, await tokenFor(stack, client))).status).toBe(200);
    expect((await actsOn(admin, 'CLIENT', client.id)).slice(1)).toEqual([
      { action: 'CLIENT_TOKENS_REVOKED', before: null, after: { revoked: 2 } },
    ]);
  });
});

describe('changing a client', () => {
  it('takes a scope from a token that is out', async () => {
    const client = await issue();
    const token = await tokenFor(stack, client);
    await change(client.id, { scopes: ['ppai:transmit'], expectedVersion: 1 });
    expect(outcomeOf(await search(client, token))).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect((await askToken(stack, client)).envelope.data).toMatchObject({ scope: 'ppai:transmit' });
  });

  it('admits the addresses of its allowlist alone', async () => {
    const client = await issue();
    const token = await tokenFor(stack, client);
    await change(client.id, {
      ipAllowlist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
      expectedVersion: 1,
    });
    for (const address of ['203.0.113.9', '2001:db8::9', '198.51.100.7']) {
      expect((await search(client, token, address)).status).toBe(200);
    }
    for (const address of ['203.0.114.1', '2001:db9::1', '198.51.100.8']) {
      expect(outcomeOf(await search(client, token, address)).code).toBe('IP_NOT_ALLOWED');
    }
    await change(client.id, { ipAllowlist: [], expectedVersion: 2 });
    expect((await search(client, token, '203.0.114.1')).status).toBe(200);
  });

  it('limits its rate from the next request on', async () => {
    const client = await issue();
    const token = await tokenFor(stack, client);
    expect((await search(client, token)).headers['ratelimit-policy']).toContain('q=120;');
    await change(client.id, { rateLimitPerMinute: 1, expectedVersion: 1 });
    expect(outcomeOf(await search(client, token))).toEqual({ status: 429, code: 'RATE_LIMITED' });
    await change(client.id, { rateLimitPerMinute: 1_000, expectedVersion: 2 });
    expect((await search(client, token)).headers['ratelimit-policy']).toContain('q=1000;');
  });

  it('is audited with what was and what is, and what is left out stays', async () => {
    const { id, client } = await issue({ rateLimitPerMinute: 300 });
    const changed = await change(id, { name: 'another name', expectedVersion: 1 });
    expect(changed.envelope.data).toEqual({ ...client, name: 'another name', version: 2 });
    const rest = { scopes: [...SCOPES], ipAllowlist: [], rateLimitPerMinute: 300 };
    expect((await actsOn(admin, 'CLIENT', id)).slice(1)).toEqual([
      {
        action: 'CLIENT_CHANGED',
        before: { name: client.name, ...rest },
        after: { name: 'another name', ...rest },
      },
    ]);
    await change(id, { name: 'another name', expectedVersion: 2 });
    expect(await actsOn(admin, 'CLIENT', id)).toHaveLength(2);
  });

  it('is CONFLICT for the second of two who saw the same version', async () => {
    const { id } = await issue();
    const both = await Promise.all(
      ['a', 'b'].map((name) => change(id, { name, expectedVersion: 1 })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('is VALIDATION_FAILED without a version, or with a secret', async () => {
    const { id } = await issue();
    expect(fieldsOf(await change(id, { scopes: [] }))).toEqual(['scopes', 'expectedVersion']);
    const secret = { clientSecret: 'mine', expectedVersion: 1 };
    expect(fieldsOf(await change(id, secret))).toEqual(['clientSecret']);
  });
});

describe('a client that is not there', () => {
  it.each([NOBODY, 'ppai-0'])('is NOT_FOUND under %s', async (id) => {
    const rotation = { secrets: ['CLIENT_SECRET'], overlapSeconds: 0, expectedVersion: 1 };
    const answers = [
      await admin.get(`${BASE}/${id}`),
      await change(id, { expectedVersion: 1 }),
      await admin.post(`${BASE}/${id}/suspend`),
      await admin.post(`${BASE}/${id}/reactivate`),
      await admin.post(`${BASE}/${id}/revoke-tokens`),
      await admin.post(`${BASE}/${id}/rotate-secrets`, rotation),
    ];
    for (const answer of answers) {
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
