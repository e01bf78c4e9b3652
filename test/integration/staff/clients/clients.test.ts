import type { Client, ClientWithSecrets } from '../../../../shared/contract/staff/clients.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { requestToken, sendSigned, tokenFor } from '../../../env/api/machine-client.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import {
  CLIENTS,
  changeClient,
  type IssuedClient,
  issueClient,
  organizationId,
} from '../../../env/staff/clients.ts';
import { auditedActions, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const SEARCH = '/ppai/policies/search?cocNumber=COC-NONE';

let stack: Stack;
let admin: StaffBrowser;
let alphaId: string;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  alphaId = await organizationId(admin, 'INS-ALPHA');
});
afterAll(() => stack.stop());

const search = (client: IssuedClient, token: string) =>
  sendSigned(stack, client, token, { path: SEARCH });

describe('issuing a client', () => {
  it('shows both secrets once, and with them the client gets a token and transmits', async () => {
    const answer = await admin.post(CLIENTS, {
      organizationId: alphaId,
      name: 'new in town',
      scopes: ['ppai:read', 'ppai:transmit'],
    });
    const { client, clientSecret, signingSecret } = answer.envelope
      .data as unknown as ClientWithSecrets;
    expect(answer.headers['location']).toBe(`${CLIENTS}/${client.id}`);
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
      dryRuns: { count: 0, lastAt: null },
      lastUsedAt: null,
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

    const shownAgain = await admin.get(`${CLIENTS}/${client.id}`);
    expect(shownAgain.envelope.data).toEqual({ ...client, lastUsedAt: expect.any(String) });
    const audited = JSON.stringify(await auditedActions(admin, 'CLIENT', client.id));
    const stored = JSON.stringify(await stack.api.context.db.apiClient.findMany());
    for (const text of [shownAgain.text, audited, stored]) {
      expect(text).not.toContain(clientSecret);
      expect(text).not.toContain(signingSecret);
    }
    expect(await auditedActions(admin, 'CLIENT', client.id)).toEqual([
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
    [{ organizationId: UNKNOWN_ID }, ['organizationId']],
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
    const answer = await admin.post(CLIENTS, {
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
  it('is filtered by organization, status, scope and text, with the total, in pages, newest first', async () => {
    const one = await issueClient(admin, { name: 'kept one', scopes: ['vehicles:verify'] });
    const two = await issueClient(admin, { name: 'kept two' });
    await admin.post(`${CLIENTS}/${one.id}/suspend`);
    const listed = async (query: string) =>
      (await listAll<Client>(admin, `${CLIENTS}?${query}`)).map(({ id }) => id);
    expect(await listed('text=KEPT')).toEqual([two.id, one.id]);
    expect(await listed(`text=${two.clientId}`)).toEqual([two.id]);
    expect(await listed('text=kept&status=SUSPENDED')).toEqual([one.id]);
    expect(await listed('text=kept&scope=ppai:transmit')).toEqual([two.id]);
    expect(await listed(`text=kept&organizationId=${alphaId}`)).toEqual([two.id, one.id]);
    expect(await listed(`text=kept&organizationId=${UNKNOWN_ID}`)).toEqual([]);
    expect((await listPage(admin, `${CLIENTS}?text=kept&limit=1`)).total).toBe(2);
  });

  it('is VALIDATION_FAILED for an unknown value of a filter', async () => {
    expect(outcomeOf(await admin.get(`${CLIENTS}?scope=all`)).code).toBe('VALIDATION_FAILED');
  });
});

describe('suspending a client', () => {
  it('blocks its tokens from the next request on, and new tokens, until it is reactivated', async () => {
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    expect((await search(client, token)).status).toBe(200);
    const suspended = await admin.post(`${CLIENTS}/${client.id}/suspend`);
    expect(suspended.envelope.data).toMatchObject({ status: 'SUSPENDED', version: 2 });
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    expect(outcomeOf(await search(client, token))).toEqual(forbidden);
    expect(outcomeOf(await requestToken(stack, client))).toEqual(forbidden);

    await admin.post(`${CLIENTS}/${client.id}/reactivate`);
    expect((await search(client, token)).status).toBe(200);
    expect((await requestToken(stack, client)).status).toBe(200);
    expect((await auditedActions(admin, 'CLIENT', client.id)).slice(1)).toEqual([
      { action: 'CLIENT_SUSPENDED', before: { status: 'ACTIVE' }, after: { status: 'SUSPENDED' } },
      {
        action: 'CLIENT_REACTIVATED',
        before: { status: 'SUSPENDED' },
        after: { status: 'ACTIVE' },
      },
    ]);
  });

  it('is audited once when it is repeated', async () => {
    const { id } = await issueClient(admin);
    for (const verb of ['suspend', 'suspend', 'reactivate', 'reactivate']) {
      expect((await admin.post(`${CLIENTS}/${id}/${verb}`)).status).toBe(200);
    }
    expect(await auditedActions(admin, 'CLIENT', id)).toHaveLength(3);
  });
});

describe('revoking the tokens of a client', () => {
  it('ends all of them at once; the client may request another', async () => {
    const client = await issueClient(admin);
    const [one, other] = [await tokenFor(stack, client), await tokenFor(stack, client)];
    const otherClient = await stack.get('alpha', SEARCH);
    const revoked = await admin.post(`${CLIENTS}/${client.id}/revoke-tokens`);
    expect({ status: revoked.status, data: revoked.envelope.data }).toEqual({
      status: 200,
      data: { revoked: 2 },
    });
    const invalid = { status: 401, code: 'INVALID_TOKEN' };
    expect(outcomeOf(await search(client, one))).toEqual(invalid);
    expect(outcomeOf(await search(client, other))).toEqual(invalid);
    expect([otherClient.status, (await stack.get('alpha', SEARCH)).status]).toEqual([200, 200]);
    expect((await search(client, await tokenFor(stack, client))).status).toBe(200);
    expect((await auditedActions(admin, 'CLIENT', client.id)).slice(1)).toEqual([
      { action: 'CLIENT_TOKENS_REVOKED', before: null, after: { revoked: 2 } },
    ]);
  });
});

describe('a missing client', () => {
  it.each([UNKNOWN_ID, 'ppai-0'])('is NOT_FOUND under %s', async (id) => {
    const rotation = { secrets: ['CLIENT_SECRET'], overlapSeconds: 0, expectedVersion: 1 };
    const answers = [
      await admin.get(`${CLIENTS}/${id}`),
      await changeClient(admin, id, { expectedVersion: 1 }),
      await admin.post(`${CLIENTS}/${id}/suspend`),
      await admin.post(`${CLIENTS}/${id}/reactivate`),
      await admin.post(`${CLIENTS}/${id}/revoke-tokens`),
      await admin.post(`${CLIENTS}/${id}/rotate-secrets`, rotation),
    ];
    for (const answer of answers) {
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
