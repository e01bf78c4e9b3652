import { createHash, webcrypto } from 'node:crypto';
import { signRequest } from '../../../api/docs/assets/sign-request.js';
import {
  canonicalString,
  isSignatureOf,
  type SignedParts,
  sign,
} from '../../../shared/contract/machine/signing.ts';
import { partsOf, SIGNATURE_VECTORS } from '../vectors/signature-vectors.ts';

const { cases, refused } = SIGNATURE_VECTORS;

describe('the signature', () => {
  it.each(cases)('$name', (vector) => {
    const parts = partsOf(vector);
    expect(createHash('sha256').update(parts.body).digest('hex')).toBe(vector.bodyDigest);
    expect(canonicalString(parts)).toBe(
      [vector.method, vector.target, vector.timestamp, vector.nonce, vector.bodyDigest].join('\n'),
    );
    expect(sign(vector.signingSecret, parts)).toBe(vector.signature);
    expect(isSignatureOf(vector.signature, vector.signingSecret, parts)).toBe(true);
  });

  it.each(cases)('the reference page computes the same signature: $name', async (vector) => {
    const signature = await signRequest(webcrypto.subtle, vector.signingSecret, partsOf(vector));
    expect(signature).toBe(vector.signature);
  });

  it.each(refused)('is refused: $name', (vector) => {
    expect(isSignatureOf(vector.signature, vector.signingSecret, partsOf(vector))).toBe(false);
  });

  it('changes with each of its five parts and with the secret', () => {
    const parts: SignedParts = {
      method: 'POST',
      target: '/api/v1/ppai/policies',
      timestamp: '1793190001',
      nonce: 'AbCdEfGhIjKlMnOp',
      body: Buffer.from('{}'),
    };
    const signatures = [
      sign('secret', parts),
      sign('Secret', parts),
      sign('secret', { ...parts, method: 'post' }),
      sign('secret', { ...parts, target: '/api/v1/ppai/policies?' }),
      sign('secret', { ...parts, timestamp: '1793190002' }),
      sign('secret', { ...parts, nonce: 'AbCdEfGhIjKlMnOq' }),
      sign('secret', { ...parts, body: Buffer.from('{} ') }),
    ];
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it.each([
    ['upper case', (good: string) => good.toUpperCase()],
    ['too short', (good: string) => good.slice(1)],
    ['a character that is not a hex digit', (good: string) => `${good.slice(1)}g`],
    ['empty', () => ''],
    ['one wrong digit', (good: string) => `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
  ])('is refused: %s', (_, spoil) => {
    const parts: SignedParts = {
      method: 'GET',
      target: '/',
      timestamp: '1',
      nonce: 'n',
      body: Buffer.alloc(0),
    };
    // The signature must contain a digit a–f, or upper case would not change it.
    const good = sign('secret-with-letters', parts);
    expect(good).toMatch(/[a-f]/);
    expect(isSignatureOf(spoil(good), 'secret-with-letters', parts)).toBe(false);
  });
});
