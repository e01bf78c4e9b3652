import { runAdmin } from '../../../ops/admin/commands.ts';
import { verifyAudit } from '../../../shared/store/staff/audit-chain.ts';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { makeBrowser, signInAs } from '../../env/staff/staff.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

async function run(...args: string[]) {
  const [printed, errors]: [string[], string[]] = [[], []];
  const exitCode = await runAdmin(args, {
    db: () => api.api.context.db,
    keys: () => api.config,
    checkDatabase: async () => undefined,
    by: () => ({
      actor: { kind: 'COMMAND', id: null, email: 'root@machine', role: null },
      address: null,
      requestId: 'command-1',
      at: new Date(),
      keys: api.api.context.keyring,
    }),
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
  });
  return { exitCode, printed: printed.join('\n'), errors: errors.join('\n') };
}

const nextStep = async (email: string, password: string) => {
  const { envelope } = await makeBrowser(api).post('/auth/v1/login', { email, password });
  return envelope.data?.['next'] ?? envelope.error?.code;
};

describe('npm run admin', () => {
  it('creates a user who can sign in with the password it prints', async () => {
    const { exitCode, printed } = await run(
      'create-user',
      'First@staff.example',
      '--role',
      'ADMINISTRATOR',
    );
    const password = /Password: (\S+)/.exec(printed)?.[1] ?? '';
    expect(exitCode).toBe(0);
    expect(await nextStep('first@staff.example', password)).toBe('MFA_ENROLLMENT_REQUIRED');
    const entry = await api.api.context.db.auditEntry.findFirst({ orderBy: { sequence: 'desc' } });
    expect(entry).toMatchObject({
      actorKind: 'COMMAND',
      actorEmail: 'root@machine',
      action: 'USER_CREATED',
      address: null,
    });
  });

  it('refuses an address that is taken', async () => {
    expect(await run('create-user', 'first@staff.example', '--role', 'AUDITOR')).toEqual({
      exitCode: 1,
      printed: '',
      errors: 'Another user has this address.',
    });
  });

  it.each([
    [['create-user', 'nobody', '--role', 'AUDITOR']],
    [['create-user', 'a@staff.example']],
    [['create-user', 'a@staff.example', '--role', 'OWNER']],
    [['verify-audit', '--expect', 'nonsense']],
    [['unknown']],
  ])('prints its usage after %j', async (args) => {
    const { exitCode, errors } = await run(...args);
    expect({ exitCode, hasErrors: errors !== '' }).toEqual({ exitCode: 2, hasErrors: true });
  });

  it('disables, enables, changes roles and resets, with immediate effect', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const { email } = browser;
    const status = async () => (await browser.get('/auth/v1/session')).status;
    expect(await status()).toBe(200);
    expect((await run('change-role', email, '--role', 'AUDITOR')).exitCode).toBe(0);
    expect(await status()).toBe(401);
    expect((await run('disable-user', email)).exitCode).toBe(0);
    expect((await run('list-users')).printed).toContain(
      `${email}  AUDITOR  DISABLED  second factor`,
    );
    expect((await run('enable-user', email)).exitCode).toBe(0);
    expect((await run('reset-mfa', email)).exitCode).toBe(0);
    const { printed } = await run('reset-password', email.toUpperCase());
    expect(await nextStep(email, printed.split(': ')[1] ?? '')).toBe('MFA_ENROLLMENT_REQUIRED');
    expect(await run('disable-user', 'nobody@staff.example')).toMatchObject({
      exitCode: 1,
      errors: 'No user has the address nobody@staff.example.',
    });
  });

  it('reports an audit log without a seal with a separate exit code, and seals it if it is sound', async () => {
    await api.ownerDb.$executeRaw`UPDATE audit_head SET seal = NULL, seal_key_id = NULL`;
    expect(await run('verify-audit')).toMatchObject({
      exitCode: 3,
      printed: expect.stringContaining('The audit log is sound'),
      errors: expect.stringContaining('run "seal-audit" once'),
    });
    expect(await run('seal-audit')).toMatchObject({ exitCode: 0, errors: '' });
    expect(await run('verify-audit')).toMatchObject({ exitCode: 0, errors: '' });
  });

  it('verifies the audit log, prints its head and names the first broken entry', async () => {
    const { db } = api.api.context;
    const report = await verifyAudit(db, api.api.context.keyring);
    if (!report.isSound) throw new Error('the audit log was broken before the test changed it');
    const head = `${report.head.sequence}:${report.head.hash}`;
    expect(await run('verify-audit')).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining(head),
    });
    expect((await run('verify-audit', '--expect', head)).exitCode).toBe(0);
    await api.ownerDb.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`UPDATE audit_entries SET actor_email = 'somebody@else.example' WHERE sequence = 4`;
    });
    expect(await run('verify-audit')).toEqual({
      exitCode: 1,
      printed: '',
      errors: 'The audit log is broken at entry 4: it was changed.',
    });
  });
});

describe('the demonstration', () => {
  it('has a user of each role who enrolls at the first sign-in', async () => {
    const { seedDemonstration } = await import('../../../ops/seed.ts');
    const { config, database } = api;
    const { logger } = api.api.context;
    const { adminUsers } = await seedDemonstration({ databaseUrl: database.url, config, logger });
    expect(adminUsers.map(({ role }) => role)).toEqual(['ADMINISTRATOR', 'REVIEWER', 'AUDITOR']);
    for (const { email, password } of adminUsers) {
      expect(await nextStep(email, password)).toBe('MFA_ENROLLMENT_REQUIRED');
    }
  });
});
