import { pruneExpired } from '../../../../api/prune-expired.ts';
import { seedDemonstration } from '../../../../ops/seed.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { requireEnvironment } from '../../../../shared/store/sandbox/environment.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Sandbox, startSandbox } from '../../../env/api/sandbox.ts';
import { newNonce } from '../../../env/api/signed-request.ts';
import { untilReadable } from '../../../env/feed/feed-reader.ts';
import { signInAs } from '../../../env/staff/staff.ts';

const CLOCK = '/sandbox/clock';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
afterEach(() => sandbox.post('alpha', CLOCK, { dayOffset: 0 }));

describe('a calendar that is ten years ahead (D40)', () => {
  it('prunes no token, nonce or session that is valid at the real time', async () => {
    const used = {
      path: CLOCK,
      nonce: newNonce(),
      timestamp: Math.floor(Date.now() / 1_000),
      token: await sandbox.tokenOf('alpha'),
    };
    expect((await sandbox.send('alpha', used)).status).toBe(200);
    const browser = await signInAs(sandbox, 'AUDITOR');
    await sandbox.post('alpha', CLOCK, { dayOffset: 3_650 });

    await pruneExpired(sandbox.api.context);
    const again = { ...used, nonce: newNonce() };
    expect((await sandbox.send('alpha', again)).status).toBe(200);
    const replayed = await sandbox.send('alpha', used);
    expect([replayed.status, replayed.envelope.error?.code]).toEqual([401, 'NONCE_REUSED']);
    expect((await browser.get('/admin/v1/flags')).status).toBe(200);
  });

  it('holds for the records of the change feed as for the records themselves', async () => {
    const { envelope } = await sandbox.post('alpha', '/ppai/policies', makeBody());
    const reference = String(envelope.data?.['registryReference']);
    await sandbox.post('alpha', CLOCK, { dayOffset: 3_650 });
    await untilReadable(sandbox.api.context.db);
    const feed = await sandbox.get('alpha', '/ppai/changes?include=record&limit=500');
    const record = await sandbox.get('alpha', `/ppai/policies/${reference}`);
    expect(record.envelope.data).toMatchObject({ coverageStatus: 'EXPIRED' });
    const items = feed.envelope.data?.['items'] as { registryReference: string }[];
    expect(items.filter((item) => item.registryReference === reference)).toMatchObject([
      { record: { coverageStatus: 'EXPIRED' } },
    ]);
  });

  it('stays as it is when demonstration data is seeded again, and so does the environment', async () => {
    await sandbox.post('alpha', CLOCK, { dayOffset: 3_650 });
    const { config, api } = sandbox;
    const logger = makeLogger({ level: 'silent', name: 'test' });
    const { databaseUrl, dataDir, encryptionKeys, clientSecretPepper } = config;
    await seedDemonstration({
      databaseUrl,
      config: { nodeEnv: 'test', dataDir, encryptionKeys, clientSecretPepper },
      logger,
    });
    await requireEnvironment(api.context.db, 'sandbox');
    const { dayOffset } = await api.context.db.registryEnvironment.findFirstOrThrow();
    expect(dayOffset).toBe(3_650);
    expect((await sandbox.get('alpha', CLOCK)).envelope.data).toMatchObject({ dayOffset: 3_650 });
  });
});
