import { createHash, createHmac } from 'node:crypto';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import {
  canonicalString,
  SIGNATURE_HEADERS,
  sign,
} from '../../../shared/contract/machine/signing.ts';
import type { Random } from '../random.ts';
import type { AbuseTarget, Call, Headers } from './target.ts';

/** A genuine request and its parts. */
export interface Genuine {
  readonly call: Call;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  readonly token: string;
}

/** Makes a different request with the genuine signature, or the genuine request with a different signature. */
export type Forgery = (random: Random, genuine: Genuine, target: AbuseTarget) => Forged;

export interface Forged {
  readonly what: string;
  readonly call: Call;
}

const NAMES = SIGNATURE_HEADERS;
const HEX = '0123456789abcdef';

function withHeader(call: Call, name: string, value: Headers[string] | undefined): Call {
  const { [name]: _replaced, ...others } = call.headers;
  return { ...call, headers: value === undefined ? others : { ...others, [name]: value } };
}

function changedAt(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + 1);
}

const headerOf: Readonly<Record<string, (genuine: Genuine) => string>> = {
  authorization: ({ token }) => `Bearer ${token}`,
  [NAMES.clientId]: ({ call }) => String(call.headers[NAMES.clientId]),
  [NAMES.timestamp]: ({ timestamp }) => timestamp,
  [NAMES.nonce]: ({ nonce }) => nonce,
  [NAMES.signature]: ({ signature }) => signature,
};
const HEADER_NAMES = Object.keys(headerOf);

/** The same signature in another encoding, or a different one. */
const SIGNATURES: readonly ((random: Random, genuine: Genuine) => string)[] = [
  (random, { signature }) => {
    const at = random.below(signature.length);
    return changedAt(
      signature,
      at,
      HEX[(HEX.indexOf(signature[at] ?? '') + 1 + random.below(15)) % 16] ?? '',
    );
  },
  (_random, { signature }) => signature.toUpperCase(),
  (random, { signature }) => {
    const letters = [...signature.matchAll(/[a-f]/g)].map(({ index }) => index);
    const at = letters.length === 0 ? 0 : random.pick(letters);
    const upper = signature[at]?.toUpperCase() ?? '';
    return upper === signature[at] ? `0${signature}` : changedAt(signature, at, upper);
  },
  (random, { signature }) => signature.slice(0, random.below(64)),
  (random, { signature }) => signature + (HEX[random.below(16)] ?? '').repeat(1 + random.below(64)),
  (_random, { signature }) => Buffer.from(signature, 'hex').toString('base64'),
  (_random, { signature }) => Buffer.from(signature, 'hex').toString('base64url'),
  (random, { signature }) =>
    `${random.pick(['0x', 'sha256=', 'hmac ', 'v1,', '"', '\\x'])}${signature}`,
  (_random, { signature }) => signature.match(/../g)?.join(':') ?? '',
  (_random, { signature }) => signature.match(/../g)?.join(' ') ?? '',
  (_random, { signature }) => signature.match(/../g)?.reverse().join('') ?? '',
  (_random, { signature }) => `${signature},${signature}`,
  (_random, { signature }) => signature.replaceAll('0', 'O').replaceAll('1', 'l').padEnd(65, '0'),
  () => '0'.repeat(64),
  () => 'f'.repeat(64),
  () => 'null',
];

/** Keys that are not the signing secret, and messages that are not the canonical string. */
const OTHER_SIGNERS: readonly ((
  random: Random,
  genuine: Genuine,
  target: AbuseTarget,
) => readonly [what: string, signature: string])[] = [
  (random, genuine, target) => {
    const other = random.pick(['bravo', 'charlie', 'mgt-one']);
    return [`the key of ${other}`, sign(target.client(other).signingSecret, partsOf(genuine))];
  },
  (_random, genuine, target) => [
    'the client secret as key',
    sign(target.client('alpha').clientSecret, partsOf(genuine)),
  ],
  (random, genuine, target) => {
    const { signingSecret, clientId } = target.client('alpha');
    const keys = [
      '',
      clientId,
      genuine.token,
      signingSecret.slice(0, -1),
      `${signingSecret}=`,
      signingSecret.toLowerCase(),
      ` ${signingSecret}`,
    ];
    return ['another key', sign(random.pick(keys), partsOf(genuine))];
  },
  (_random, genuine, target) => {
    const key = Buffer.from(target.client('alpha').signingSecret, 'base64url');
    return ['the key decoded', hmac('sha256', key, canonicalString(partsOf(genuine)))];
  },
  (random, genuine, target) => {
    const hash = random.pick(['md5', 'sha1', 'sha512', 'sha512-256', 'sha3-256']);
    const key = target.client('alpha').signingSecret;
    const made = hmac(hash, key, canonicalString(partsOf(genuine)))
      .padEnd(64, '0')
      .slice(0, 64);
    return [`HMAC with ${hash}`, made];
  },
  (_random, genuine, target) => {
    const message = target.client('alpha').signingSecret + canonicalString(partsOf(genuine));
    return ['a bare hash', createHash('sha256').update(message).digest('hex')];
  },
  (random, genuine, target) => {
    const lines = canonicalString(partsOf(genuine)).split('\n');
    const [method = '', path = '', timestamp = '', nonce = '', digest = ''] = lines;
    const body = genuine.call.body ?? Buffer.alloc(0);
    const messages = [
      lines.join('\r\n'),
      lines.join(''),
      lines.join(' '),
      `${lines.join('\n')}\n`,
      `\n${lines.join('\n')}`,
      lines.toReversed().join('\n'),
      [method.toLowerCase(), ...lines.slice(1)].join('\n'),
      [method, path.split('?')[0]?.slice(0, -1), timestamp, nonce, digest].join('\n'),
      [method, `http://127.0.0.1${path}`, timestamp, nonce, digest].join('\n'),
      [method, path, nonce, timestamp, digest].join('\n'),
      [method, path, timestamp, nonce, digest.toUpperCase()].join('\n'),
      [method, path, timestamp, nonce].join('\n'),
      [method, path, timestamp, digest].join('\n'),
      [method, path, timestamp, nonce, body.toString('utf8')].join('\n'),
      [method, path, timestamp, nonce, ''].join('\n'),
      [method, path, timestamp, nonce, createHash('sha1').update(body).digest('hex')].join('\n'),
      [method, path, `${timestamp}.0`, nonce, digest].join('\n'),
    ];
    const key = target.client('alpha').signingSecret;
    return ['another message', hmac('sha256', key, random.pick(messages))];
  },
];

function hmac(hash: string, key: string | Buffer, message: string): string {
  return createHmac(hash, key).update(message).digest('hex');
}

function partsOf({ call, timestamp, nonce }: Genuine) {
  const { method, path, body = Buffer.alloc(0) } = call;
  return { method, target: path, timestamp, nonce, body };
}

/** Targets that differ from the signed one. A router treats many of them the same. */
const TARGETS: readonly ((random: Random, path: string) => string)[] = [
  (_random, path) => `${path}/`,
  (_random, path) => path.replace(API_BASE, `${API_BASE}/`),
  (_random, path) => `/${path}`,
  (_random, path) => path.replace('/ppai/', '/%70pai/'),
  (_random, path) => path.replace('/ppai/', '/PPAI/'),
  (_random, path) => path.replace('/ppai/', '/./ppai/'),
  (_random, path) => path.replace('/ppai/', '/x/../ppai/'),
  (_random, path) => path.replace('/ppai/', '/ppai;v=1/'),
  (_random, path) => `${path}${path.includes('?') ? '&' : '?'}`,
  (_random, path) => `${path}${path.includes('?') ? '&' : '?'}x=1`,
  (_random, path) => `${path}#x`,
  (_random, path) => `http://127.0.0.1${path}`,
  (_random, path) => path.replace('?', '??').replace(/^([^?]*)$/, '$1?'),
  (_random, path) =>
    path
      .replace(/=([^&]*)/, (_match, value: string) => `=${escapeFirst(value)}`)
      .replace(/^([^=]*)$/, '$1?a'),
  (_random, path) => (path.includes('-') ? path.replace('-', '%2d') : `${path}%20`),
  (_random, path) => path.replace(/(\?)([^&]+)&(.+)$/, '$1$3&$2').replace(/^([^&]*)$/, '$1;'),
  (random, path) => {
    const at = API_BASE.length + 1 + random.below(path.length - API_BASE.length - 1);
    return changedAt(path, at, path[at] === 'x' ? 'y' : 'x');
  },
];

function escapeFirst(value: string): string {
  return `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`;
}

const BODIES: readonly ((random: Random, body: Buffer) => Buffer)[] = [
  (random, body) => {
    const changed = Buffer.from(body);
    const at = random.below(body.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  (_random, body) => Buffer.concat([body, Buffer.from(' ')]),
  (_random, body) => Buffer.concat([body, Buffer.from('\n')]),
  (_random, body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  (random, body) => body.subarray(0, random.below(body.length)),
  (_random, body) => Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')), null, 1)),
  (_random, body) => Buffer.from(body.toString('utf8').replace('INS-ALPHA', 'INS-BRAVO')),
  (_random, body) =>
    Buffer.from(body.toString('utf8').replace(/"passengerCapacity":\d+/, '"passengerCapacity":19')),
  (_random, body) => Buffer.from(body.toString('utf8').replace('{', '{"poolCode":"POOL-NORTH",')),
  (_random, body) => Buffer.concat([body, body]),
];

export const FORGERIES: readonly Forgery[] = [
  (random, genuine) => {
    const value = random.pick(SIGNATURES)(random, genuine);
    return { what: `signature ${value}`, call: withHeader(genuine.call, NAMES.signature, value) };
  },
  (random, genuine, target) => {
    const [what, signature] = random.pick(OTHER_SIGNERS)(random, genuine, target);
    return { what, call: withHeader(genuine.call, NAMES.signature, signature) };
  },
  (random, { call }) => {
    const path = random.pick(TARGETS)(random, call.path);
    return { what: `target ${path}`, call: { ...call, path } };
  },
  (random, { call }) => {
    if (call.body === undefined) {
      const body = Buffer.from(random.pick(['{}', ' ', '0', 'a=b']));
      return { what: 'a body where none was', call: { ...call, body } };
    }
    const body = random.pick(BODIES)(random, call.body);
    return { what: 'another body', call: { ...call, body } };
  },
  (random, { call }) => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'];
    const method = random.pick(others.filter((other) => other !== call.method));
    const { [NAMES.nonce]: _none, ...headers } = call.headers;
    return random.percent(80)
      ? { what: `method ${method}`, call: { ...call, method } }
      : { what: 'without a nonce', call: { ...call, headers } };
  },
  (random, genuine) => {
    const seconds =
      Number(genuine.timestamp) + random.pick([-600, -301, -60, -1, 1, 2, 60, 301, 600]);
    const written = random.pick([
      String(seconds),
      `0${genuine.timestamp}`,
      `${genuine.timestamp}.0`,
      `${genuine.timestamp}e0`,
      `+${genuine.timestamp}`,
      `${genuine.timestamp}000`,
    ]);
    return {
      what: `timestamp ${written}`,
      call: withHeader(genuine.call, NAMES.timestamp, written),
    };
  },
  (random, genuine) => {
    const at = random.below(genuine.nonce.length);
    const written = random.pick([
      changedAt(genuine.nonce, at, genuine.nonce[at] === 'a' ? 'b' : 'a'),
      genuine.nonce.toUpperCase().replace(/^[^A-F]*$/, 'x'.repeat(20)),
      genuine.nonce.slice(0, -1),
      `${genuine.nonce}0`,
      `"${genuine.nonce}"`,
      `${genuine.nonce}%20`,
    ]);
    return { what: `nonce ${written}`, call: withHeader(genuine.call, NAMES.nonce, written) };
  },
  (random, genuine) => {
    const name = random.pick(HEADER_NAMES);
    return { what: `without ${name}`, call: withHeader(genuine.call, name, undefined) };
  },
  (random, genuine) => {
    const name = random.pick(HEADER_NAMES);
    const value = headerOf[name]?.(genuine) ?? '';
    const twice = random.pick([
      [value, value],
      [value, 'x'],
      ['', value],
    ]);
    return { what: `${name} twice`, call: withHeader(genuine.call, name, twice) };
  },
  (random, genuine) => {
    const name = random.pick(HEADER_NAMES);
    const value = headerOf[name]?.(genuine) ?? '';
    const moved = withHeader(genuine.call, name, undefined);
    const other = random.pick([
      name.includes('-') ? name.replaceAll('-', '_') : `${name}_`,
      `x-${name}`,
      `${name}s`,
      `proxy-${name}`,
    ]);
    return { what: `${name} as ${other}`, call: withHeader(moved, other, value) };
  },
];
