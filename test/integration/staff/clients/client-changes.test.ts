import { SCOPES } from '../../../../shared/contract/enums.ts';
import { requestToken, sendSigned, tokenFor } from '../../../env/api/machine-client.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { changeClient, type IssuedClient, issueClient } from '../../../env/staff/clients.ts';
import { auditedActions, fieldsOf } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const SEARCH = '/ppai/policies/search?cocNumber=COC-NONE';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const search = (client: IssuedClient, token: string, from?: string) =>
  sendSigned(stack, client, token, { path: SEARCH, ...(from === undefined ? {} : { from }) });

describe('changing a client', () => {
  it('removes a scope from tokens that were issued before', async () => {
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    await changeClient(admin, client.id, { scopes: ['ppai:transmit'], expectedVersion: 1 });
    expect(outcomeOf(await search(client, token))).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect((await requestToken(stack, client)).envelope.data).toMatchObject({
      scope: 'ppai:transmit',
    });
  });

  it('restricts requests to the addresses of its allowlist', async () => {
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    await changeClient(admin, client.id, {
      ipAllowlist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
      expectedVersion: 1,
    });
    for (const address of ['203.0.113.9', '2001:db8::9', '198.51.100.7']) {
      expect((await search(client, token, address)).status).toBe(200);
    }
    for (const address of ['203.0.114.1', '2001:db9::1', '198.51.100.8']) {
      expect(outcomeOf(await search(client, token, address)).code).toBe('IP_NOT_ALLOWED');
    }
    await changeClient(admin, client.id, { ipAllowlist: [], expectedVersion: 2 });
    expect((await search(client, token, '203.0.114.1')).status).toBe(200);
  });

  it('limits its rate from the next request on', async () => {
    const client = await issueClient(admin);
    const token = await tokenFor(stack, client);
    expect((await search(client, token)).headers['ratelimit-policy']).toContain('q=120;');
    await changeClient(admin, client.id, { rateLimitPerMinute: 1, expectedVersion: 1 });
    expect(outcomeOf(await search(client, token))).toEqual({ status: 429, code: 'RATE_LIMITED' });
    await changeClient(admin, client.id, { rateLimitPerMinute: 1_000, expectedVersion: 2 });
    expect((await search(client, token)).headers['ratelimit-policy']).toContain('q=1000;');
  });

  it('is audited with the values before and after, and keeps missing values', async () => {
    const { id, client } = await issueClient(admin, { rateLimitPerMinute: 300 });
    const changed = await changeClient(admin, id, { name: 'another name', expectedVersion: 1 });
    expect(changed.envelope.data).toEqual({ ...client, name: 'another name', version: 2 });
    const rest = { scopes: [...SCOPES], ipAllowlist: [], rateLimitPerMinute: 300 };
    expect((await auditedActions(admin, 'CLIENT', id)).slice(1)).toEqual([
      {
        action: 'CLIENT_CHANGED',
        before: { name: client.name, ...rest },
        after: { name: 'another name', ...rest },
      },
    ]);
    await changeClient(admin, id, { name: 'another name', expectedVersion: 2 });
    expect(await auditedActions(admin, 'CLIENT', id)).toHaveLength(2);
  });

  it('is CONFLICT for the second of two requests with the same version', async () => {
    const { id } = await issueClient(admin);
    const both = await Promise.all(
      ['a', 'b'].map((name) => changeClient(admin, id, { name, expectedVersion: 1 })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('is VALIDATION_FAILED without a version, or with a secret', async () => {
    const { id } = await issueClient(admin);
    expect(fieldsOf(await changeClient(admin, id, { scopes: [] }))).toEqual([
      'scopes',
      'expectedVersion',
    ]);
    const secret = { clientSecret: 'mine', expectedVersion: 1 };
    expect(fieldsOf(await changeClient(admin, id, secret))).toEqual(['clientSecret']);
  });
});
