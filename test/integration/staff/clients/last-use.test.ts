import type { Client } from '../../../../shared/contract/staff/clients.ts';
import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import {
  issueAccessToken,
  pruneAccessTokens,
} from '../../../../shared/store/access/access-tokens.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const HOUR_MS = 3_600_000;
const clock = makeMovableClock(new Date('2026-10-15T02:00:00Z'));
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, clock });
});
afterAll(() => stack.stop());

async function clientsOf(admin: StaffBrowser): Promise<readonly Client[]> {
  return (await listPage<Client>(admin, '/admin/v1/clients?limit=200')).items;
}

/** Issues a token now and returns the time. */
async function useClient({ id, version }: Client): Promise<string> {
  const now = clock.now();
  const grant = { apiClientId: id, clientVersion: version, scopes: [], now };
  expect(await issueAccessToken(stack.api.context.db, grant)).toBeDefined();
  return now.toISOString();
}

describe('the last use of a client', () => {
  it('is its last token, in the list and by itself, also after the token is deleted', async () => {
    const { db } = stack.api.context;
    await db.accessToken.deleteMany();
    let admin = await signInAs(stack, 'ADMINISTRATOR');
    const [used, unused] = await clientsOf(admin);
    if (used === undefined || unused === undefined) throw new Error('two clients are needed');
    await useClient(used);
    clock.advance(60_000);
    const lastUsedAt = await useClient(used);
    const shown = async () => {
      const one = (await admin.get(`/admin/v1/clients/${used.id}`)).envelope.data;
      const listed = new Map((await clientsOf(admin)).map((client) => [client.id, client]));
      expect(listed.get(used.id)).toEqual(one);
      expect(listed.get(unused.id)?.lastUsedAt).toBeNull();
      return one?.['lastUsedAt'];
    };
    expect(await shown()).toBe(lastUsedAt);

    clock.advance(2 * HOUR_MS);
    expect(await pruneAccessTokens(db, clock.now(), 1)).toBe(1);
    expect(await pruneAccessTokens(db, clock.now(), 10)).toBe(1);
    expect(await pruneAccessTokens(db, clock.now(), 10)).toBe(0);
    admin = await signInAs(stack, 'ADMINISTRATOR');
    expect(await shown()).toBe(lastUsedAt);

    const again = await useClient(used);
    expect(await shown()).toBe(again);
  });
});
