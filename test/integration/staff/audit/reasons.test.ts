import { type Stack, startStack } from '../../../env/api/stack.ts';
import { auditedActions, fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { addStaffUser, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const REASON = 'The contract ended.\nSee letter 12.';

async function firstOf(path: string): Promise<string> {
  const { items } = await listPage<{ id: string }>(admin, `${path}?status=ACTIVE&limit=1`);
  return items[0]?.id ?? '';
}

async function act(path: string, body?: object): Promise<void> {
  const { status, text } = await admin.post(path, body);
  if (status !== 200) throw new Error(text);
}

describe('the reason is in the audit entry of', () => {
  it.each(['organizations', 'clients'] as const)('%s: suspend and reactivate', async (noun) => {
    const id = await firstOf(`/admin/v1/${noun}`);
    const type = noun === 'clients' ? 'CLIENT' : 'ORGANIZATION';
    await act(`/admin/v1/${noun}/${id}/suspend`, { reason: REASON });
    await act(`/admin/v1/${noun}/${id}/reactivate`, { reason: 'Renewed.' });
    await act(`/admin/v1/${noun}/${id}/suspend`);
    await act(`/admin/v1/${noun}/${id}/reactivate`, {});
    const acts = await auditedActions(admin, type, id);
    expect(acts.map(({ after }) => after)).toEqual([
      { status: 'SUSPENDED', reason: REASON },
      { status: 'ACTIVE', reason: 'Renewed.' },
      { status: 'SUSPENDED' },
      { status: 'ACTIVE' },
    ]);
  });

  it('a user: disable, enable and both resets', async () => {
    const { userId } = await signInAs(stack, 'REVIEWER');
    const path = `/admin/v1/users/${userId}`;
    for (const verb of ['disable', 'enable', 'mfa-reset', 'password-reset']) {
      await act(`${path}/${verb}`, { reason: REASON });
    }
    const acts = (await auditedActions(admin, 'USER', userId)).filter(({ action }) =>
      action.startsWith('USER_'),
    );
    expect(acts.map(({ action, after }) => [action, after?.['reason']])).toEqual([
      ['USER_DISABLED', REASON],
      ['USER_ENABLED', REASON],
      ['USER_MFA_RESET', REASON],
      ['USER_PASSWORD_RESET', REASON],
    ]);
  });
});

it('a reason is refused when it is blank, too long or misspelt', async () => {
  const { userId } = await addStaffUser(stack, 'REVIEWER');
  const path = `/admin/v1/users/${userId}/disable`;
  const fieldsFor = async (body: object) => fieldsOf(await admin.post(path, body));
  expect(await fieldsFor({ reason: ' ' })).toEqual(['reason']);
  expect(await fieldsFor({ reason: 'x'.repeat(1_001) })).toEqual(['reason']);
  expect(await fieldsFor({ reasons: 'x' })).toEqual(['reasons']);
  const { envelope } = await admin.get(`/admin/v1/users/${userId}`);
  expect(envelope.data).toMatchObject({ status: 'ACTIVE' });
});
