import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export interface Keyring {
  readonly activeKeyId: string;
  /** `associatedData` binds the value to its place (D18): a value sealed for one place does not open in another. */
  seal(plaintext: Buffer | string, associatedData: string): Buffer;
  /** Throws {@link SealError} when the key is unknown, the value was changed, or it belongs to another place. */
  open(sealed: Buffer, associatedData: string): Buffer;
  /** A message authentication code under the active key. A code made for one `purpose` is not valid for another. */
  authenticate(text: string, purpose: string): { readonly keyId: string; readonly code: Buffer };
  /** False for another text or purpose, and for a key that this keyring does not have. */
  isAuthentic(
    text: string,
    purpose: string,
    made: { readonly keyId: string; readonly code: Buffer },
  ): boolean;
  /** The id of the key that opens the value. A key may be retired when no value names it. */
  keyIdOf(sealed: Buffer): string;
}

export class SealError extends Error {
  override readonly name = 'SealError';
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const DEFLATED_FLAG = 0x80;
const CODE_KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DEFLATE_ABOVE_BYTES = 1_024;
const DEFLATE_LEVEL = 1;
/** Tags are verified before inflating, so a forged value cannot exhaust memory; no value that we seal is larger than this. */
const INFLATED_BYTES_MAX = 64 * 1_024 * 1_024;

/**
 * AES-256-GCM. The first key seals; every key opens.
 * Sealed form: version and flags (1 byte), length of the key id (1), key id, IV (12), ciphertext, tag (16).
 * The bytes before the IV are authenticated together with the associated data.
 */
export function makeKeyring(
  keys: readonly { readonly id: string; readonly key: Buffer }[],
): Keyring {
  const [active] = keys;
  if (active === undefined) throw new SealError('a keyring needs at least one key');
  const keyById = new Map(keys.map(({ id, key }) => [id, key]));

  return {
    activeKeyId: active.id,
    seal: (plaintext, associatedData) => {
      const plain = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
      const deflates = plain.length > DEFLATE_ABOVE_BYTES;
      const body = deflates ? deflateRawSync(plain, { level: DEFLATE_LEVEL }) : plain;
      const header = headerOf(active.id, deflates);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, active.key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(authenticated(header, associatedData));
      return Buffer.concat([header, iv, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, associatedData) => {
      const { keyId, deflated, header, iv, ciphertext, tag } = partsOf(sealed);
      const key = keyById.get(keyId);
      if (key === undefined)
        throw new SealError(`sealed under key "${keyId}", which is not among ENCRYPTION_KEYS`);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(authenticated(header, associatedData));
      decipher.setAuthTag(tag);
      const body = verified(
        () => Buffer.concat([decipher.update(ciphertext), decipher.final()]),
        keyId,
      );
      return deflated ? inflateRawSync(body, { maxOutputLength: INFLATED_BYTES_MAX }) : body;
    },
    authenticate: (text, purpose) => ({
      keyId: active.id,
      code: codeOf(active.key, text, purpose),
    }),
    isAuthentic: (text, purpose, { keyId, code }) => {
      const key = keyById.get(keyId);
      const own = key === undefined ? undefined : codeOf(key, text, purpose);
      return own !== undefined && own.length === code.length && timingSafeEqual(own, code);
    },
    keyIdOf: (sealed) => partsOf(sealed).keyId,
  };
}

/** Uses a key derived for the purpose, so that the encryption key itself is used for nothing else. */
function codeOf(key: Buffer, text: string, purpose: string): Buffer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, CODE_KEY_BYTES));
  return createHmac('sha256', derived).update(text, 'utf8').digest();
}

function headerOf(keyId: string, deflated: boolean): Buffer {
  const id = Buffer.from(keyId, 'utf8');
  return Buffer.concat([
    Buffer.from([deflated ? VERSION | DEFLATED_FLAG : VERSION, id.length]),
    id,
  ]);
}

function authenticated(header: Buffer, associatedData: string): Buffer {
  return Buffer.concat([header, Buffer.from(associatedData, 'utf8')]);
}

function partsOf(sealed: Buffer) {
  const first = sealed[0] ?? 0;
  const headerBytes = 2 + (sealed[1] ?? 0);
  if ((first & ~DEFLATED_FLAG) !== VERSION || sealed.length < headerBytes + IV_BYTES + TAG_BYTES) {
    throw new SealError('not a sealed value');
  }
  return {
    keyId: sealed.toString('utf8', 2, headerBytes),
    deflated: (first & DEFLATED_FLAG) !== 0,
    header: sealed.subarray(0, headerBytes),
    iv: sealed.subarray(headerBytes, headerBytes + IV_BYTES),
    ciphertext: sealed.subarray(headerBytes + IV_BYTES, sealed.length - TAG_BYTES),
    tag: sealed.subarray(sealed.length - TAG_BYTES),
  };
}

function verified(open: () => Buffer, keyId: string): Buffer {
  try {
    return open();
  } catch {
    throw new SealError(
      `the value was changed, sealed for another place, or sealed under another key with the id "${keyId}"`,
    );
  }
}
