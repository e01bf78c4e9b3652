import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { CSRF_HEADER } from '../../../shared/contract/staff.ts';
import { unique } from '../../env/api/bodies.ts';
import { anyAddress } from '../../env/api/signed-request.ts';
import { HEADING } from '../../env/staff/reference-files.ts';
import type { Random } from '../random.ts';
import type { Case, CaseMaker } from './machine-cases.ts';
import { malform } from './malformations.ts';
import { DATES, NAMES, NUMBERS, TEXTS } from './poison.ts';
import type { AbuseTarget, Headers } from './target.ts';

/** They would end the session that the other requests need, or require the user's password. */
const LEFT_OUT = new Set(['logout', 'changePassword', 'replaceRecoveryCodes', 'enrollMfa']);
/** Each hashes a password or causes background work. */
const EXPENSIVE = new Set(['login', 'importReference', 'createUser']);

/** Malformed requests to the staff API by a signed-in ADMINISTRATOR with the given `cookie`. */
export function makeStaffCases(
  { baseUrl }: Pick<AbuseTarget, 'baseUrl'>,
  cookie: string,
): CaseMaker {
  const endpoints = Object.entries<StaffEndpoint>(STAFF_ENDPOINTS).filter(
    ([name]) => !LEFT_OUT.has(name),
  );
  const cheap = endpoints.filter(([name]) => !EXPENSIVE.has(name));
  return async (random) => {
    const [name, endpoint] = random.pick(random.percent(4) ? endpoints : cheap);
    const { method, body, upload } = endpoint;
    const path = pathOf(random, endpoint);
    const own: Headers = {
      cookie,
      'x-forwarded-for': anyAddress(),
      ...(method === 'GET' ? {} : { origin: baseUrl, [CSRF_HEADER]: '1' }),
    };
    const made = (what: string, more: Headers, bytes?: Buffer, mustBeRefused = false): Case => ({
      what: `${name}: ${what}`,
      realm: 'staff',
      call: { method, path, headers: { ...own, ...more }, body: bytes },
      mustBeRefused,
    });
    if (upload !== undefined) {
      return made('upload', { 'content-type': 'text/csv' }, malformedCsv(random));
    }
    if (body === undefined) return made(path.slice(0, 200), {});
    const { what, bytes, headers, mustBeRefused } = malform(random, sampleOf(body));
    return made(what, { 'content-type': 'application/json', ...headers }, bytes, mustBeRefused);
  };
}

function pathOf(random: Random, { path, query }: StaffEndpoint): string {
  const named = path.replace(/\{\w+\}/g, () => parameterOf(random));
  if (query === undefined) return named;
  const names = Object.keys(query.shape);
  const parameter = (): string => {
    const name =
      names.length > 0 && random.percent(90)
        ? random.pick(names)
        : encodeURIComponent(random.pick(NAMES));
    return `${name}=${encodeURIComponent(queryValue(random, name))}`;
  };
  const parameters = Array.from({ length: 1 + random.below(3) }, parameter);
  return `${named}?${parameters.join('&')}${random.percent(5) ? '&%zz=%ff' : ''}`;
}

/** Never an existing id, so that no data of other tests changes. */
function parameterOf(random: Random): string {
  if (random.percent(60)) return randomUUID();
  return encodeURIComponent(random.pick(TEXTS)).replaceAll("'", '%27') || '%20';
}

/** Page keys in the form of a cursor. */
const CURSOR_KEYS = [
  [],
  ['1'],
  ['-999999999999999999'],
  ['999999999999999999'],
  ['9999-99-99'],
  ['999999-12-31', 'x'],
  ['0000-00-00', randomUUID()],
  ['2026-01-01 00:00:00+00', randomUUID()],
  ['9999-99-99 99:99:99+99', randomUUID()],
  ['999999-12-31 23:59:59.999999+15:59', randomUUID()],
  ['NCR'],
  ['a\u0000b'],
  ['\ud800'],
  [1],
  [null, null],
  ['1', '2', '3'],
];

function queryValue(random: Random, name: string): string {
  if (name === 'cursor' && random.percent(80)) {
    return Buffer.from(JSON.stringify(random.pick(CURSOR_KEYS)), 'utf8').toString('base64url');
  }
  if (/From|To|^from|^to|^on$/.test(name) && random.percent(80)) {
    return `${random.pick(DATES)}${random.pick(['', 'T00:00:00Z', 'T23:59:60Z', 'T24:00:00+14:00'])}`;
  }
  if (/limit|age|last/.test(name) && random.percent(80)) return random.pick(NUMBERS);
  return random.pick([...TEXTS, 'ACTIVE', 'true', 'NCR', 'OPEN', randomUUID()]);
}

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly minLength?: number;
}

/** A valid body with every member of the schema. */
function sampleOf(schema: z.ZodObject): object {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return sampleValue(json as JsonSchema) as object;
}

const BY_FORMAT: Readonly<Record<string, () => string>> = {
  uuid: randomUUID,
  date: () => '2026-01-01',
  'date-time': () => '2099-01-01T00:00:00Z',
  email: () => `abuse-${unique()}@staff.example`,
};

function sampleValue(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleValue(schema.anyOf[0] ?? {});
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [
          name,
          sampleValue(member),
        ]),
      );
    case 'array':
      return [sampleValue(schema.items ?? {})];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'string':
      return BY_FORMAT[schema.format ?? '']?.() ?? textOf(schema);
    default:
      return '127.0.0.1';
  }
}

function textOf({ pattern, minLength = 1 }: JsonSchema): string {
  if (pattern?.includes('_') === true) return 'PPAI_STANDARD';
  return `ABUSE-${unique()}`.padEnd(minLength, 'x');
}

/** Uses a region that no other test uses. */
function malformedCsv(random: Random): Buffer {
  const cell = (): string => random.pick(['BARMM', 'ABC123', '"', '', ',', '=1+1', ...TEXTS]);
  const lines = Array.from({ length: random.below(30) }, () =>
    Array.from({ length: random.below(7) }, cell).join(','),
  );
  const text = [random.percent(80) ? HEADING : cell(), ...lines].join(
    random.pick(['\n', '\r\n', '\r']),
  );
  const bytes = Buffer.from(text, random.percent(90) ? 'utf8' : 'latin1');
  return random.percent(20) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}
