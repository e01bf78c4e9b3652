import { randomBytes } from 'node:crypto';
import { HANDLERS } from '../../../api/machine/table.ts';
import { runAdmin } from '../../../ops/admin/commands.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { requireKeys, type ServiceKeys } from '../../../shared/store/keys/key-checks.ts';
import { resealAll } from '../../../shared/store/keys/reseal.ts';
import { retirePeppers } from '../../../shared/store/keys/retire-keys.ts';
import { SEALED_COLUMNS } from '../../../shared/store/keys/sealed-columns.ts';
import { storeChunk } from '../../../shared/store/reference/imports.ts';
import { findRecord } from '../../../shared/store/registry/records/records.ts';
import { startTestApi } from '../../env/api/api-env.ts';
import { requestToken } from '../../env/api/machine-client.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../env/records/record-world.ts';
import { seededTemplate } from '../../env/servers/seeded-template.ts';

const NEWER = { id: 'newer', key: randomBytes(32) };
const USER = '5f0c6c9e-4a59-4f39-9f6b-6b6f3a8c7d10';

let world: RecordWorld;
let registered: Registered;
beforeEach(async () => {
  // The first step of a rotation: every process knows the newer key, but none seals under it yet.
  world = await startRecordWorld(undefined, {
    ENCRYPTION_KEYS: `${seededTemplate().keys.ENCRYPTION_KEYS},${NEWER.id}:${NEWER.key.toString('base64')}`,
    CLIENT_SECRET_PEPPER: pepperList(),
  });
  registered = await world.register('alpha', recordBody());
  await world.amend('alpha', registered.registryReference, {
    operator: { tin: '555-666-777-888' },
  });
  const { db, keyring } = world;
  await requireKeys(db, world.config);
  const totpSealed = new Uint8Array(keyring.seal('TOTPSECRET', `staff-totp/${USER}`));
  await db.staffUser.create({
    data: { id: USER, email: 'totp@staff.example', role: 'AUDITOR', passwordHash: '', totpSealed },
  });
  await db.staffSession.create({
    data: {
      idHash: new Uint8Array(32),
      stage: 'CHALLENGE',
      userId: USER,
      startedAt: new Date(),
      seenAt: new Date(),
      address: '127.0.0.1',
      totpSealed,
    },
  });
  const importId = '5f0c6c9e-4a59-4f39-9f6b-6b6f3a8c7d11';
  await storeChunk(db, keyring, { importId, ordinal: 0, bytes: Buffer.from('rows') });
});
afterEach(() => world.stop());

const rotated = (): ServiceKeys => ({
  encryptionKeys: world.config.encryptionKeys.toReversed(),
  clientSecretPepper: world.config.clientSecretPepper,
});

/** A new pepper, then the one under which the secrets of the demonstration clients are hashed. */
function pepperList(): string {
  return `${randomBytes(32).toString('base64')},${seededTemplate().keys.CLIENT_SECRET_PEPPER}`;
}

async function reseal(keys: ServiceKeys) {
  const lines: string[] = [];
  const code = await runAdmin(['reseal'], {
    db: () => world.db,
    keys: () => keys,
    checkDatabase: async () => undefined,
    by: () => ({
      actor: { kind: 'COMMAND', id: null, email: 'root@machine', role: null },
      address: null,
      requestId: 'command-1',
      at: world.clock.now(),
      keys: makeKeyring(keys.encryptionKeys),
    }),
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
  });
  return { code, lines: lines.join('\n') };
}

async function keyIdsIn({ table, column, where = 'true' }: (typeof SEALED_COLUMNS)[number]) {
  const rows = await world.db.$queryRawUnsafe<{ sealed: Uint8Array }[]>(
    `SELECT t.${column} AS sealed FROM ${table} t WHERE ${where}`,
  );
  return [...new Set(rows.map(({ sealed }) => world.keyring.keyIdOf(Buffer.from(sealed))))];
}

async function allKeyIds() {
  const entries = await Promise.all(
    SEALED_COLUMNS.map(async (one) => [`${one.table}.${one.column}`, await keyIdsIn(one)] as const),
  );
  return Object.fromEntries(entries);
}

const everywhere = (keyId: string) =>
  Object.fromEntries(SEALED_COLUMNS.map(({ table, column }) => [`${table}.${column}`, [keyId]]));

it('SEALED_COLUMNS has every column with sealed values', async () => {
  const columns = await world.db.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'bytea'
      AND (column_name LIKE '%sealed%' OR column_name = 'protected')`;
  expect(columns.map(({ name }) => name).sort()).toEqual(
    SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
  );
});

it('reseal seals everything under the newest key, and the older one is no longer needed', async () => {
  const [old] = world.config.encryptionKeys;
  expect(await allKeyIds()).toEqual(everywhere(old?.id ?? ''));
  const { code, lines } = await reseal(rotated());
  expect({ code, lines }).toEqual({
    code: 0,
    lines: expect.stringContaining(`Key "${old?.id}" is no longer needed`),
  });
  expect(await allKeyIds()).toEqual(everywhere(NEWER.id));

  const onlyNewer = { ...rotated(), encryptionKeys: [NEWER] };
  await requireKeys(world.db, onlyNewer);
  const record = await findRecord(
    world.db,
    makeKeyring([NEWER]),
    registered.registryReference,
    await world.viewer('INS-ALPHA'),
    world.clock.now(),
  );
  expect(record?.record.registryReference).toBe(registered.registryReference);
  expect((await reseal(onlyNewer)).lines).not.toContain('resealed');
});

it('reseal continues after an interruption, and a running registry keeps working', async () => {
  const { db } = world;
  const keyring = makeKeyring(rotated().encryptionKeys);
  const interrupted = db.$extends({
    query: {
      $executeRawUnsafe: ({ args, query }) => {
        if (args[0].includes('transmissions')) throw new Error('interrupted');
        return query(args);
      },
    },
  }) as unknown as typeof db;
  await expect(resealAll(interrupted, keyring)).rejects.toThrow('interrupted');
  const ids = await allKeyIds();
  expect([ids['amendments.diff_sealed'], ids['transmissions.body_sealed']]).toEqual([
    [NEWER.id],
    [world.keyring.activeKeyId],
  ]);
  // The API of this test still seals under the old key, like a process that was not restarted yet.
  const [running] = await Promise.all([
    world.register('bravo', recordBody({ issuingInsurerCode: 'INS-BRAVO' })),
    resealAll(db, keyring, 1),
  ]);
  expect(running.registryReference).toMatch(/^PPAI-/);
  await resealAll(db, keyring);
  expect(await allKeyIds()).toEqual(everywhere(NEWER.id));
});

it('a terminal transmission still cannot change, except for the seal of its body (D2)', async () => {
  const { db } = world;
  await expect(
    db.$executeRaw`UPDATE transmissions SET error_code = 'X' WHERE status <> 'RECEIVED'`,
  ).rejects.toThrow(/terminal and never changes/);
});

it('reseal reports the values that it cannot open, reseals the rest and keeps the older key', async () => {
  const { db } = world;
  await db.staffUser.update({
    where: { id: USER },
    data: { totpSealed: new Uint8Array(makeKeyring([{ ...NEWER, id: 'lost' }]).seal('x', 'y')) },
  });
  const { code, lines } = await reseal(rotated());
  expect(code).toBe(1);
  expect(lines).toContain('staff_users.totp_sealed: 1 cannot be opened');
  expect(lines).toContain('Key "lost" is still needed: 1 value');
  expect(
    (await keyIdsIn({ table: 'amendments', column: 'diff_sealed', key: [], place: '' }))[0],
  ).toBe(NEWER.id);
});

describe('a second pepper', () => {
  it('replaces the older one for each client that requests a token', async () => {
    const api = await startTestApi({
      handlers: HANDLERS,
      environment: { CLIENT_SECRET_PEPPER: pepperList() },
    });
    try {
      const { db } = api.api.context;
      await requireKeys(db, api.config);
      const [newest] = api.config.clientSecretPepper;
      await api.tokenOf('alpha');
      const { needed } = await retirePeppers(db, newest.id, new Date());
      const needing = needed.flatMap(({ clientIds }) => clientIds);
      expect(needing).toContain(api.client('bravo').clientId);
      expect(needing).not.toContain(api.client('alpha').clientId);
      // The new hash is that of the client's secret: the next token is granted with it.
      expect(await db.clientSecret.count({ where: { pepperId: newest.id } })).toBe(1);
      expect((await requestToken(api, api.client('alpha'))).status).toBe(200);
    } finally {
      await api.stop();
    }
  });

  it('is the only one needed once every hash uses it', async () => {
    const { db, config } = world;
    const [newest, older] = config.clientSecretPepper;
    await db.clientSecret.updateMany({
      where: { kind: 'CLIENT_SECRET' },
      data: { pepperId: newest.id },
    });
    await db.staffRecoveryCode.deleteMany();
    expect((await reseal(rotated())).lines).toContain(`Pepper ${older?.id} is no longer needed`);
    await requireKeys(db, { ...rotated(), clientSecretPepper: [newest] });
  });
});
