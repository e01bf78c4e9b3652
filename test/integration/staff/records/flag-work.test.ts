import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { FLAGS, flagIds, raiseFlag } from '../../../env/staff/flags.ts';
import { auditedActions, fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
let reviewer: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  reviewer = await signInAs(stack, 'REVIEWER');
});
afterAll(() => stack.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOTES = { notes: 'The insurer sent other papers.' };

const act = (id: string, verb: string, body: object = NOTES, browser = reviewer) =>
  browser.post(`${FLAGS}/${id}/${verb}`, body);
const assign = (id: string, assigneeId: string | null, more = {}, browser = reviewer) =>
  act(id, 'assign', { assigneeId, ...more }, browser);

async function read(id: string): Promise<FlagItem> {
  return (await reviewer.get(`${FLAGS}/${id}`)).envelope.data as unknown as FlagItem;
}

describe('reopening a flag', () => {
  it.each(['clear', 'refer'])(
    'makes it OPEN again after %s, with notes in the audit',
    async (verb) => {
      const { id, registryReference } = await raiseFlag(stack, reviewer);
      await act(id, verb, { notes: 'Decided.' });
      const { status, envelope } = await act(id, 'reopen', NOTES, admin);
      expect(status).toBe(200);
      const open = { status: 'OPEN', reviewedBy: null, reviewedAt: null, reviewNotes: null };
      expect(envelope.data).toMatchObject({ id, ...open });
      const decided = verb === 'clear' ? 'CLEARED' : 'REFERRED_TO_INSURER';
      expect((await auditedActions(admin, 'FLAG', id)).at(-1)).toEqual({
        action: 'FLAG_REOPENED',
        before: {
          status: decided,
          reviewedBy: reviewer.email,
          reviewedAt: expect.any(String),
          reviewNotes: 'Decided.',
        },
        after: { status: 'OPEN', reviewNotes: NOTES.notes },
      });
      const record = await stack.get('alpha', `/ppai/policies/${registryReference}`);
      expect(record.envelope.data).toMatchObject({ openFlagCount: 1, flags: [{ id, ...open }] });
      expect(record.text).not.toContain(NOTES.notes);
    },
  );

  it('shows both decisions and the notes in the evidence', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    await act(id, 'clear', { notes: 'First.' });
    await act(id, 'reopen');
    await act(id, 'refer', { notes: 'Second.' });
    const { envelope } = await reviewer.get(`${FLAGS}/${id}/evidence`);
    expect(envelope.data?.['events']).toMatchObject([
      { action: 'FLAG_CLEARED', status: 'CLEARED', notes: 'First.' },
      { action: 'FLAG_REOPENED', status: 'OPEN', notes: NOTES.notes },
      { action: 'FLAG_REFERRED', status: 'REFERRED_TO_INSURER', notes: 'Second.' },
    ]);
  });

  it('tells the insurer in the change feed', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    await act(id, 'clear');
    const changes = () => stack.api.context.db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM changes WHERE flag_id = ${id}::uuid`;
    const [before] = await changes();
    await act(id, 'reopen');
    const [after] = await changes();
    expect(after?.n).toBe(2 * (before?.n ?? 0));
  });

  it('is CONFLICT for an OPEN flag, and succeeds for one of several at once', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    expect(outcomeOf(await act(id, 'reopen'))).toEqual(refused(409, 'CONFLICT'));
    await act(id, 'clear');
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'reopen')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  });

  it('needs notes, the permission and a flag', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    await act(id, 'clear');
    expect(fieldsOf(await act(id, 'reopen', { notes: ' ' }))).toEqual(['notes']);
    const auditor = await signInAs(stack, 'AUDITOR');
    expect(outcomeOf(await act(id, 'reopen', NOTES, auditor))).toEqual(refused(403, 'FORBIDDEN'));
    expect(outcomeOf(await act(UNKNOWN, 'reopen'))).toEqual(refused(404, 'NOT_FOUND'));
  });
});

describe('assigning a flag', () => {
  it('names the reviewer who works on it, in the list too, and is audited', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    const { status, envelope } = await assign(id, reviewer.userId);
    expect(status).toBe(200);
    const assignee = { id: reviewer.userId, email: reviewer.email };
    expect(envelope.data).toMatchObject({ assignee, assignedAt: expect.any(String) });
    expect(await flagIds(reviewer, `assigneeId=${reviewer.userId}`)).toEqual([id]);
    expect(await flagIds(reviewer, 'assigned=true')).toContain(id);
    expect(await flagIds(reviewer, 'assigned=false')).not.toContain(id);
    await assign(id, reviewer.userId);
    await assign(id, null);
    expect(await read(id)).toMatchObject({ assignee: null, assignedAt: null });
    expect(await auditedActions(admin, 'FLAG', id)).toEqual([
      {
        action: 'FLAG_ASSIGNED',
        before: { assigneeId: null },
        after: { assigneeId: reviewer.userId },
      },
      {
        action: 'FLAG_ASSIGNED',
        before: { assigneeId: reviewer.userId },
        after: { assigneeId: null },
      },
    ]);
  });

  it('is never seen by an insurer', async () => {
    const { id, registryReference } = await raiseFlag(stack, reviewer);
    const path = `/ppai/policies/${registryReference}`;
    const before = await stack.get('alpha', path);
    const feed = () => stack.api.context.db.$queryRaw`
      SELECT count(*)::int AS n FROM changes WHERE flag_id = ${id}::uuid`;
    const changes = await feed();
    await assign(id, reviewer.userId);
    const after = await stack.get('alpha', path);
    expect(after.envelope.data).toEqual(before.envelope.data);
    expect((await stack.get('alpha', `${path}/flags`)).text).not.toContain(reviewer.userId);
    expect(await feed()).toEqual(changes);
  });

  it('is CONFLICT when another assignee was expected, and shows the flag', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    await assign(id, admin.userId, { expectedAssigneeId: null });
    const late = await assign(id, reviewer.userId, { expectedAssigneeId: null });
    expect(outcomeOf(late)).toEqual(refused(409, 'CONFLICT'));
    expect(late.envelope.error?.details).toMatchObject([{ code: 'STALE_VERSION' }]);
    expect(late.envelope.data).toMatchObject({ assignee: { email: admin.email } });
    expect((await assign(id, reviewer.userId)).status).toBe(200);
  });

  it('is CONFLICT for a flag that is decided, and a review by somebody else is possible', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    await assign(id, admin.userId);
    expect((await act(id, 'clear')).status).toBe(200);
    const late = await assign(id, reviewer.userId);
    expect(late.envelope.error?.details).toMatchObject([{ code: 'ALREADY_DECIDED' }]);
  });

  it('needs an active user who may review flags', async () => {
    const { id } = await raiseFlag(stack, reviewer);
    const auditor = await signInAs(stack, 'AUDITOR');
    const disabled = await signInAs(stack, 'REVIEWER');
    await admin.post(`/admin/v1/users/${disabled.userId}/disable`);
    for (const userId of [UNKNOWN, auditor.userId, disabled.userId]) {
      expect(fieldsOf(await assign(id, userId))).toEqual(['assigneeId']);
    }
    const byAuditor = await assign(id, reviewer.userId, {}, auditor);
    expect(outcomeOf(byAuditor)).toEqual(refused(403, 'FORBIDDEN'));
    expect(outcomeOf(await assign(UNKNOWN, null))).toEqual(refused(404, 'NOT_FOUND'));
    const { items } = await listPage<{ id: string }>(reviewer, `${FLAGS}/assignees?limit=200`);
    const listed = items.map((one) => one.id);
    expect(listed).toEqual(expect.arrayContaining([admin.userId, reviewer.userId]));
    expect(listed).not.toContain(auditor.userId);
    expect(listed).not.toContain(disabled.userId);
  });
});
