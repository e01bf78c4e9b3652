import { randomBytes } from 'node:crypto';
import { makeKeyring, SealError } from '../../../../shared/platform/secrets/sealing.ts';

const K1 = { id: 'k1', key: randomBytes(32) };
const K2 = { id: 'k2', key: randomBytes(32) };
const LONG = JSON.stringify({
  vehicles: Array.from({ length: 500 }, () => ({ plate: 'ABC1234' })),
});

describe('a keyring', () => {
  const ring = makeKeyring([K1]);

  it.each([
    ['nothing', ''],
    ['a short text', 'juan.dela.cruz@example.org ñ'],
    ['a long text', LONG],
  ])('opens what it sealed: %s', (_, text) => {
    expect(ring.open(ring.seal(text, 'operator:1'), 'operator:1').toString()).toBe(text);
  });

  it('opens bytes that are not text', () => {
    const bytes = randomBytes(5_000);
    expect(ring.open(ring.seal(bytes, 'a'), 'a')).toEqual(bytes);
  });

  it('compresses long values', () => {
    expect(ring.seal(LONG, 'a').length).toBeLessThan(LONG.length / 10);
  });

  it('seals the same value differently each time and reveals nothing about it', () => {
    const sealed = ring.seal('123-456-789', 'a');
    expect(sealed.equals(ring.seal('123-456-789', 'a'))).toBe(false);
    expect(sealed.toString('latin1')).not.toContain('456');
  });

  it('refuses a value that was sealed for another place (D18)', () => {
    expect(() => ring.open(ring.seal('secret', 'client:1:1'), 'client:1:2')).toThrow(SealError);
  });

  it('refuses a value with any changed byte', () => {
    const sealed = ring.seal(LONG.slice(0, 2_000), 'a');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 0x80, index);
      expect(() => ring.open(changed, 'a')).toThrow(SealError);
    }
  });

  it.each([0, 1, 5, 20])('refuses a value cut to %i bytes', (length) => {
    expect(() => ring.open(ring.seal('secret', 'a').subarray(0, length), 'a')).toThrow(SealError);
  });
});

describe('key rotation', () => {
  const old = makeKeyring([K1]).seal('secret', 'a');
  const rotated = makeKeyring([K2, K1]);

  it('seals under the first key and opens under all', () => {
    expect(rotated.activeKeyId).toBe('k2');
    expect(rotated.keyIdOf(rotated.seal('secret', 'a'))).toBe('k2');
    expect(rotated.keyIdOf(old)).toBe('k1');
    expect(rotated.open(old, 'a').toString()).toBe('secret');
  });

  it('names the missing key', () => {
    expect(() => makeKeyring([K2]).open(old, 'a')).toThrow(/"k1".*ENCRYPTION_KEYS/);
  });

  it('refuses another key with the same id', () => {
    expect(() => makeKeyring([{ id: 'k1', key: K2.key }]).open(old, 'a')).toThrow(SealError);
  });

  it('refuses an empty list of keys', () => {
    expect(() => makeKeyring([])).toThrow(SealError);
  });
});
