import type { Db } from '../../../../shared/db/prisma.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let api: TestApi;
let db: Db;
let administrator: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  db = api.api.context.db;
  administrator = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

const list = (query: string) =>
  listPage<{ readonly sequence: number }>(administrator, `/admin/v1/audit?${query}`);

describe('the audit log', () => {
  it('shows actor, action, target, time, address and request of each action, the latest first', async () => {
    const created = await administrator.send({
      path: '/admin/v1/users',
      body: { email: 'somebody@staff.example', role: 'AUDITOR' },
      headers: { 'x-request-id': 'the-request', 'x-forwarded-for': '203.0.113.9' },
    });
    const { user } = created.envelope.data as unknown as { user: { id: string } };
    const { items, total } = await list('limit=1');
    expect(items).toEqual([
      {
        sequence: total,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor: {
          kind: 'STAFF',
          id: administrator.userId,
          email: administrator.email,
          role: 'ADMINISTRATOR',
        },
        action: 'USER_CREATED',
        target: { type: 'USER', id: user.id },
        address: '203.0.113.9',
        requestId: 'the-request',
        before: null,
        after: { email: 's***@staff.example', role: 'AUDITOR' },
        repeats: 0,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('is filtered by action, actor, target and time, and paged', async () => {
    const { total } = await list('limit=1');
    expect((await list('action=MFA_ENROLLED')).total).toBe(1);
    expect((await list(`actorId=${administrator.userId}`)).total).toBe(3);
    expect((await list(`targetType=USER&targetId=${administrator.userId}`)).total).toBe(2);
    expect((await list('from=2100-01-01T00:00:00Z')).total).toBe(0);
    expect((await list('to=2100-01-01T00:00:00%2B08:00')).total).toBe(total);
    const first = await list('limit=2');
    const rest = await list(`limit=200&cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items].map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: total }, (_, at) => total - at),
    );
  });

  it('has no entry for a failed action', async () => {
    const { total } = await list('limit=1');
    await administrator.post(`/admin/v1/users/${administrator.userId}/password-reset`, {
      password: 'short',
    });
    await administrator.post('/admin/v1/users', { email: administrator.email, role: 'AUDITOR' });
    expect((await list('limit=1')).total).toBe(total);
  });
});

describe('the database', () => {
  it.each([
    'UPDATE audit_entries SET action = action',
    "UPDATE audit_entries SET after = '{}' WHERE sequence = 1",
    'DELETE FROM audit_entries WHERE sequence = 1',
    'DELETE FROM audit_entries WHERE false',
    'TRUNCATE audit_entries',
    'UPDATE audit_head SET sequence = 0',
    'DELETE FROM audit_head',
    'TRUNCATE audit_head',
    "INSERT INTO audit_head VALUES (true, 0, '')",
  ])(
    'refuses %s, to the service role by its rights and to the owner by a trigger',
    async (statement) => {
      await expect(db.$executeRawUnsafe(statement)).rejects.toThrow(/permission denied/);
      await expect(api.ownerDb.$executeRawUnsafe(statement)).rejects.toThrow(/append-only/);
    },
  );

  it('refuses an entry that does not continue the chain', async () => {
    const copy = `INSERT INTO audit_entries
      SELECT sequence + 1000, at, actor_kind, actor_id, actor_email, actor_role, action, target_type, target_id,
        address, request_id, before, after, previous_hash, hash FROM audit_entries WHERE sequence = 1`;
    await expect(db.$executeRawUnsafe(copy)).rejects.toThrow(/does not continue the chain/);
  });

  it('gives the service role no right to change entries', async () => {
    const [row] = await db.$queryRaw<{ acl: string }[]>`
      SELECT coalesce(array_to_string(relacl, ' '), 'default') AS acl FROM pg_class WHERE relname = 'audit_entries'`;
    const rights = /(?:^| )\w+=(\w+)\//.exec(row?.acl ?? '')?.[1];
    // PostgreSQL abbreviates rights: a insert, r select, w update, d delete, D truncate.
    expect(rights).toMatch(/^ar/);
    expect(rights).not.toMatch(/[wdD]/);
  });
});
