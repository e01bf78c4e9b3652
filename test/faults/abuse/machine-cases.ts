import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { uniqueNumber } from '../../env/api/bodies.ts';
import { anyAddress } from '../../env/api/signed-request.ts';
import type { Random } from '../random.ts';
import { malform } from './malformations.ts';
import {
  BATCH,
  CHANGES,
  fullLookup,
  OWN_LIST,
  PAGE_VALUES,
  type QueryGrammar,
} from './own-cases.ts';
import { DATES, NAMES, TEXTS } from './poison.ts';
import { fullAmendment, fullBody, fullCancellation, type TargetRecord } from './subjects.ts';
import { type AbuseTarget, type Call, type Headers, signCall } from './target.ts';

/** A malformed request and the expected kind of answer. */
export interface Case {
  readonly what: string;
  readonly realm: 'machine' | 'staff';
  readonly call: Call;
  /** If false, any documented answer except 5xx is acceptable. */
  readonly mustBeRefused: boolean;
}

export type CaseMaker = (random: Random) => Promise<Case>;

/** Malformed requests to the machine API, with valid signatures. */
export function makeMachineCases(target: AbuseTarget, targets: readonly TargetRecord[]): CaseMaker {
  const signed = async (
    random: Random,
    path: string,
    valid: object,
    headers: Headers = {},
  ): Promise<Case> => {
    const { what, bytes, read, headers: own, mustBeRefused } = malform(random, valid);
    const call = await signCall(target, 'alpha', {
      method: 'POST',
      path,
      body: bytes,
      read,
      headers: { ...headers, ...own },
    });
    return { what: `POST ${path}: ${what}`, realm: 'machine', call, mustBeRefused };
  };
  const get = async (path: string): Promise<Case> => ({
    what: `GET ${path.slice(0, 200)}`,
    realm: 'machine',
    call: await signCall(target, 'alpha', { method: 'GET', path }),
    mustBeRefused: false,
  });
  return (random) => {
    const targetRecord = random.pick(targets);
    const record = `/ppai/policies/${targetRecord.registryReference}`;
    const prefer = preferenceOf(random);
    const draw = random.below(100);
    if (draw < 36) return signed(random, transmitPath(random), fullBody(random), prefer);
    if (draw < 48)
      return signed(random, `${record}/amendments`, fullAmendment(random, targetRecord), prefer);
    if (draw < 55)
      return signed(random, `${record}/cancellation`, fullCancellation(targetRecord), prefer);
    if (draw < 62) return signed(random, '/ppai/policies/validation', fullBody(random));
    if (draw < 68) return signed(random, '/ppai/transmissions/lookup', fullLookup(random));
    if (draw < 74) return get(searchPath(random, targetRecord));
    if (draw < 86) return get(ownListPath(random));
    if (draw < 90) return get(namePath(random));
    if (draw < 94)
      return get(`/ppai/vehicles/${nameIn(random)}/coverage?${queryOf(random, COVERAGE)}`);
    return tokenCase(target, random);
  };
}

const PREFERENCES = [
  'respond-async',
  'respond-async',
  'respond-async',
  'wait=0',
  'wait=1',
  'wait=-1, respond-async',
  'wait=99999999999999999999, respond-async',
  'wait="\\"1", respond-async',
  ',,,;;;===, respond-async',
  'respond-async;foo=bar; a',
];

function preferenceOf(random: Random): Headers {
  return { prefer: random.pick(PREFERENCES) };
}

const SEARCH: QueryGrammar = {
  names: [
    'plateNumber',
    'mvFileNumber',
    'chassisNumber',
    'engineNumber',
    'policyNumber',
    'cocNumber',
    'status',
    'page',
    'pageSize',
  ],
  values: [...PAGE_VALUES, 'ACTIVE', 'active', 'SUPERSEDED', '1', '200', '201'],
};
const COVERAGE: QueryGrammar = { names: ['asOf'], values: [...DATES] };

function searchPath(random: Random, { body }: TargetRecord): string {
  const known = `policyNumber=${encodeURIComponent(body.policy.policyNumber ?? '')}`;
  const query = queryOf(random, SEARCH);
  return `/ppai/policies/search?${random.percent(50) ? `${known}&${query}` : query}`;
}

function transmitPath(random: Random): string {
  return `/ppai/policies${random.percent(90) ? '' : `?${queryOf(random, BATCH)}`}`;
}

function ownListPath(random: Random): string {
  return random.percent(50)
    ? `/ppai/transmissions?${queryOf(random, OWN_LIST)}`
    : `/ppai/changes?${queryOf(random, CHANGES)}`;
}

/** Printable ASCII, so that the request line is valid. */
function queryOf(random: Random, { names, values }: QueryGrammar): string {
  const parameter = (): string => {
    const name = random.percent(85) ? random.pick(names) : encodeURIComponent(random.pick(NAMES));
    const value = random.percent(50) ? random.pick(values) : random.pick(TEXTS);
    const written = random.percent(10) ? random.pick(BROKEN_ESCAPES) : escaped(value);
    return random.percent(5) ? name : `${name}=${written}`;
  };
  const count = 1 + random.below(3);
  return Array.from({ length: count }, parameter).join(random.percent(90) ? '&' : '&&');
}

const BROKEN_ESCAPES = [
  '%',
  '%z',
  '%zz',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%00',
  '%u0041',
  '%25%30%30',
  '%F0%9F%98',
  '+',
  '%2B',
  '&=',
  '%0d%0aX: y',
].map((text) => text.replaceAll(' ', '%20'));

function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

function nameIn(random: Random): string {
  if (random.percent(30)) return random.pick(BROKEN_ESCAPES).replace(/[&=?#]/g, '');
  const name = escaped(random.pick(TEXTS));
  return random.percent(10) ? name.repeat(30) : name || 'x';
}

function namePath(random: Random): string {
  const name = nameIn(random);
  return random.pick([
    `/ppai/policies/${name}`,
    `/ppai/transmissions/${name}`,
    `/ppai/batches/${name}`,
    `/ppai/batches/BATCH-${name}`,
    `/ppai/policies/PPAI-2026-${name}`,
    `/ppai/transmissions/PPAI-TX-2026-${name}`,
    `/ppai/policies/..%2f${name}`,
  ]);
}

const GRANTS = ['client_credentials', 'password', 'CLIENT_CREDENTIALS', '', 'authorization_code'];

/** No form or JSON can be valid by chance, because the secret is wrong. */
function tokenCase(target: AbuseTarget, random: Random): Promise<Case> {
  const { clientId } = target.client('alpha');
  const valid = {
    grant_type: random.percent(70) ? 'client_credentials' : random.pick(GRANTS),
    client_id: clientId,
    client_secret: uniqueNumber('SECRET'),
    scope: random.pick(['ppai:read', 'ppai:read ppai:transmit', 'ppai:all', ' ', '']),
  };
  const address = { 'x-forwarded-for': anyAddress() };
  const { what, bytes, headers } = random.percent(50)
    ? malform(random, valid)
    : form(random, valid);
  const call: Call = {
    method: 'POST',
    path: `${API_BASE}/oauth/token`,
    headers: { 'content-type': 'application/json', ...address, ...basicOf(random), ...headers },
    body: bytes,
  };
  return Promise.resolve({ what: `token: ${what}`, realm: 'machine', call, mustBeRefused: true });
}

function form(random: Random, valid: Record<string, string>) {
  const members = Object.entries(valid).map(([name, value]) => {
    const written = random.percent(30) ? random.pick(BROKEN_ESCAPES) : escaped(value);
    return `${random.percent(10) ? escaped(random.pick(NAMES)) : name}=${written}`;
  });
  const doubled = random.percent(20) ? [...members, random.pick(members)] : members;
  const headers: Headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { what: 'form', bytes: Buffer.from(doubled.join('&'), 'latin1'), headers };
}

function basicOf(random: Random): Headers {
  if (random.percent(85)) return {};
  const pair = Buffer.from(
    random.pick(['a:b', ':', 'a', '%zz:%', 'a:b:c', '\0:\0', '\u00ff:']),
  ).toString('base64');
  const value = random.pick([`Basic ${pair}`, 'Basic', 'Basic ====', `basic  ${pair}`, 'Bearer x']);
  return { authorization: value };
}
