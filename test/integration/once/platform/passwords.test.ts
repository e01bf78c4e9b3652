import { hash as hashWithArgon } from '@node-rs/argon2';
import {
  HASHES_AT_ONCE_MAX,
  HASHES_WAITING_MAX,
  HashingBusy,
  hashPassword,
  isPassword,
} from '../../../../shared/platform/secrets/passwords.ts';

let active = 0;
let activeMax = 0;

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
  return { ...real, hash: jest.fn() };
});

beforeEach(() => {
  activeMax = 0;
  jest.mocked(hashWithArgon).mockImplementation(async () => {
    active += 1;
    activeMax = Math.max(activeMax, active);
    await new Promise((resolve) => setImmediate(resolve));
    active -= 1;
    return 'hash';
  });
});

describe('hashes of passwords', () => {
  it('are computed a few at a time; some wait, and further ones are refused at once', async () => {
    const room = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
    const outcomes = await Promise.allSettled(
      Array.from({ length: room + 50 }, () => hashPassword('correct horse')),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(activeMax).toBe(HASHES_AT_ONCE_MAX);
    expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(HASHES_WAITING_MAX);
    expect(outcomes.length - refused.length).toBeLessThanOrEqual(room);
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: expect.any(HashingBusy) });
  });

  it('are computed again when fewer are waiting', async () => {
    await Promise.allSettled(Array.from({ length: 500 }, () => hashPassword('correct horse')));
    expect(await hashPassword('correct horse')).toBe('hash');
  });
});

it('the dummy hash is computed even while no further passwords are accepted', async () => {
  const real = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
  const flood = Array.from({ length: 500 }, () => hashPassword('correct horse'));
  jest.mocked(hashWithArgon).mockImplementation(real.hash);
  const first = isPassword('wrong', undefined).catch((error: unknown) => error);
  await Promise.allSettled(flood);
  expect([false, expect.any(HashingBusy)]).toContainEqual(await first);
  expect(await isPassword('wrong', undefined)).toBe(false);
});
