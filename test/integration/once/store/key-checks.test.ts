import { randomBytes } from 'node:crypto';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { makePepper } from '../../../../shared/platform/config/config-values.ts';
import { makeKeyring } from '../../../../shared/platform/secrets/sealing.ts';
import { requireKeys, type ServiceKeys } from '../../../../shared/store/keys/key-checks.ts';
import { retireEncryptionKeys, retirePeppers } from '../../../../shared/store/keys/retire-keys.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

const key = (id: string) => ({ id, key: randomBytes(32) });
const [k1, k2] = [key('k1'), key('k2')];
const [p1, p2] = [makePepper(randomBytes(32)), makePepper(randomBytes(32))];
const keys = (changes: Partial<ServiceKeys> = {}): ServiceKeys => ({
  encryptionKeys: [k1],
  clientSecretPepper: [p1],
  ...changes,
});

describe('the keys of a process', () => {
  it('are those of the database when they are the ones it was first used with', async () => {
    await requireKeys(db, keys());
    await requireKeys(db, keys());
    await requireKeys(db, keys({ encryptionKeys: [k1, k2], clientSecretPepper: [p1, p2] }));
    expect(await db.keyCheck.count()).toBe(2);
  });

  it.each([
    [
      'another key under the same id',
      { encryptionKeys: [key('k1')] },
      /another key under the id "k1"/,
    ],
    [
      'only a key made anew',
      { encryptionKeys: [key('new')] },
      /ENCRYPTION_KEYS lacks the key "k1"/,
    ],
    [
      'another pepper',
      { clientSecretPepper: [makePepper(randomBytes(32))] },
      new RegExp(`CLIENT_SECRET_PEPPER lacks the key "${p1.id}"`),
    ],
  ])('are refused by name when they are %s', async (_case, changes, message) => {
    await requireKeys(db, keys());
    await expect(requireKeys(db, keys(changes))).rejects.toThrow(message);
    await requireKeys(db, keys());
  });

  it('never stand in the message or in the database', async () => {
    await requireKeys(db, keys());
    const other = key('k1');
    const error = await requireKeys(db, keys({ encryptionKeys: [other] })).catch(String);
    const rows = JSON.stringify(await db.keyCheck.findMany());
    for (const secret of [k1.key, other.key, p1.key]) {
      for (const text of [secret.toString('base64'), secret.toString('hex')]) {
        expect(`${String(error)}${rows}`).not.toContain(text);
      }
    }
  });

  it('must include a newer key as soon as a process seals under it', async () => {
    await requireKeys(db, keys());
    await requireKeys(db, keys({ encryptionKeys: [k2, k1] }));
    await expect(requireKeys(db, keys())).rejects.toThrow('ENCRYPTION_KEYS lacks the key "k2"');
    await requireKeys(db, keys({ encryptionKeys: [k1, k2] }));
  });

  it('may leave out a retired key, and may not begin with one', async () => {
    await requireKeys(db, keys());
    const both = keys({ encryptionKeys: [k2, k1], clientSecretPepper: [p2, p1] });
    await requireKeys(db, both);
    expect(await retireEncryptionKeys(db, { activeKeyId: 'k2', left: {} })).toEqual(['k1']);
    expect(await retirePeppers(db, p2.id, new Date())).toEqual({ retired: [p1.id], needed: [] });
    await requireKeys(db, keys({ encryptionKeys: [k2], clientSecretPepper: [p2] }));
    await expect(
      requireKeys(db, keys({ encryptionKeys: [k1, k2], clientSecretPepper: [p2] })),
    ).rejects.toThrow('begins with "k1"');
  });

  it('are one set when two processes with different new keys start at once', async () => {
    const other = keys({ encryptionKeys: [k2], clientSecretPepper: [p2] });
    const outcomes = await Promise.allSettled([requireKeys(db, keys()), requireKeys(db, other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('must open what a database of an earlier release holds, which has no check values', async () => {
    const id = '5f0c6c9e-4a59-4f39-9f6b-6b6f3a8c7d10';
    const sealed = makeKeyring([k1]).seal('TOTPSECRET', `staff-totp/${id}`);
    await db.staffUser.create({
      data: {
        id,
        email: 'a@staff.example',
        role: 'AUDITOR',
        passwordHash: 'none',
        totpSealed: new Uint8Array(sealed),
      },
    });
    await expect(requireKeys(db, keys({ encryptionKeys: [key('k1')] }))).rejects.toThrow(
      /cannot open what this database holds \(staff_users\.totp_sealed/,
    );
    expect(await db.keyCheck.count()).toBe(0);
    await requireKeys(db, keys());
  });
});
