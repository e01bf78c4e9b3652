import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { BRUNO_SCRIPT } from '../../../ops/collections/bruno.ts';
import { POSTMAN_SCRIPT } from '../../../ops/collections/postman.ts';
import { isSignatureOf, type SignedParts } from '../../../shared/contract/machine/signing.ts';
import { partsOf, SIGNATURE_VECTORS } from '../vectors/signature-vectors.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const NONCE = '0123456789abcdef';

/** Scripts handle text only. Bruno's HTTP library removes white space from the ends of a body. */
const cases = SIGNATURE_VECTORS.cases.filter(({ bodyHex }) => {
  const bytes = Buffer.from(bodyHex, 'hex');
  return Buffer.from(bytes.toString()).equals(bytes);
});
const trimmed = cases.filter((vector) => {
  const text = Buffer.from(partsOf(vector).body).toString();
  return text === text.trim();
});

interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The two functions of crypto-js that the scripts use. */
const CRYPTO_JS = {
  SHA256: (text: string) => createHash('sha256').update(text).digest('hex'),
  HmacSHA256: (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex'),
};

const MODULES: Readonly<Record<string, object>> = {
  'crypto-js': CRYPTO_JS,
  nanoid: { nanoid: () => NONCE },
};

function interpolate(text: string): string {
  return text.replaceAll('{{baseUrl}}', ORIGIN).replaceAll('{{$guid}}', NONCE);
}

function runInBruno({ method, target, body }: SignedParts, signingSecret: string): Sent {
  const headers: Record<string, string> = { 'X-PPAI-Client-Id': 'client' };
  const sent = { url: `{{baseUrl}}${target}`, body: Buffer.from(body).toString() };
  runInNewContext(readFileSync(BRUNO_SCRIPT, 'utf8'), {
    require: (name: string) => MODULES[name],
    bru: { interpolate, getEnvVar: () => signingSecret },
    req: {
      getHeader: (name: string) => headers[name],
      setHeader: (name: string, value: string) => {
        headers[name] = value;
      },
      getMethod: () => method,
      getUrl: () => sent.url,
      setUrl: (url: string) => {
        sent.url = url;
      },
      getBody: () => sent.body,
      setBody: (text: string) => {
        sent.body = text;
      },
    },
  });
  return { ...sent, headers };
}

function runInPostman({ method, target, body }: SignedParts, signingSecret: string): Sent {
  const headers: Record<string, string> = { 'X-PPAI-Client-Id': 'client' };
  const sent = { body: Buffer.from(body).toString() };
  const url = `{{baseUrl}}${target}`;
  runInNewContext(readFileSync(POSTMAN_SCRIPT, 'utf8'), {
    require: (name: string) => MODULES[name],
    pm: {
      variables: { replaceIn: interpolate, get: () => signingSecret },
      request: {
        method,
        url: { toString: () => url },
        body: {
          raw: sent.body,
          update: (text: string) => {
            sent.body = text;
          },
        },
        headers: {
          has: (name: string) => name in headers,
          upsert: ({ key, value }: { key: string; value: string }) => {
            headers[key] = value;
          },
        },
      },
    },
  });
  return { ...sent, url: interpolate(url), headers };
}

/** The parts of the request as the registry receives it. */
function receivedParts({ url, body, headers }: Sent, method: string): SignedParts {
  return {
    method,
    target: url.slice(ORIGIN.length),
    timestamp: headers['X-PPAI-Timestamp'] ?? '',
    nonce: headers['X-PPAI-Nonce'] ?? '',
    body: Buffer.from(body),
  };
}

describe.each([
  ['Bruno', runInBruno, trimmed],
  ['Postman', runInPostman, cases],
] as const)('the script for %s', (_, run, vectors) => {
  it('has vectors', () => {
    expect(vectors.length).toBeGreaterThan(10);
  });

  it.each(vectors)('signs the request that is sent: $name', (vector) => {
    const parts = partsOf(vector);
    const sent = run(parts, vector.signingSecret);
    const received = receivedParts(sent, vector.method);
    expect(received.target).toBe(vector.target);
    expect(Buffer.from(received.body).equals(parts.body)).toBe(true);
    const signature = sent.headers['X-PPAI-Signature'] ?? '';
    expect(isSignatureOf(signature, vector.signingSecret, received)).toBe(true);
  });

  it('replaces the variables of a body before it signs', () => {
    const parts = {
      method: 'POST',
      target: '/api/v1/ppai/policies',
      timestamp: '',
      nonce: '',
      body: Buffer.from('{"id":"{{$guid}}"}'),
    };
    const sent = run(parts, 'secret');
    expect(sent.body).toBe(`{"id":"${NONCE}"}`);
    const signature = sent.headers['X-PPAI-Signature'] ?? '';
    expect(isSignatureOf(signature, 'secret', receivedParts(sent, 'POST'))).toBe(true);
  });
});
