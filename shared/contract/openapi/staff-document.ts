import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { API_VERSION, type Reply } from '../machine/endpoints.ts';
import { ErrorAnswer, errorSchema, successSchema } from '../machine/envelope.ts';
import {
  ADMIN_BASE,
  AUTH_BASE,
  errorsOfStaffEndpoint,
  type StaffEndpoint,
} from '../staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../staff/endpoints.ts';
import { PERMISSIONS } from '../staff.ts';
import { errorResponses } from './error-responses.ts';
import {
  type JsonSchema,
  locatedParameters,
  makeSchemaCollector,
  type SchemaCollector,
} from './schemas.ts';

export interface StaffOpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** Makes the description of the staff realm from its endpoint table. */
export function makeStaffOpenApi({
  serverUrl = '/',
}: {
  serverUrl?: string;
} = {}): StaffOpenApiDocument {
  const collector = makeSchemaCollector();
  const paths: Record<string, Record<string, object>> = {};
  const tags = new Set<string>();
  for (const [name, endpoint] of Object.entries<StaffEndpoint>(STAFF_ENDPOINTS)) {
    tags.add(tagOf(endpoint));
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, collector),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Transmission Registry: staff realm',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl }],
    tags: [...tags].map((name) => ({ name, description: `Operations on ${name}.` })),
    paths,
    components: { schemas: collector.schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

const DESCRIPTION = [
  "For the regulator's staff, not for third-party integration. Every answer except this description is one JSON envelope: `success`, `data`, `error`.",
  'Sign in with `login`, then `mfa/verify`; the first time, call `mfa/enroll` between them. A session ends after 15 minutes without a request, and after 8 hours. A GET with `X-PPAI-Background: 1` does not extend it.',
  'A session that began with an initial password can only read the session (`session`), change the password and sign out; every other request is FORBIDDEN with the detail code PASSWORD_CHANGE_REQUIRED.',
  'Every request except GET carries `X-PPAI-CSRF: 1` and an Origin: that of the service itself or a configured one.',
  'A CONFLICT names its reason as the code of its detail (such as STALE_VERSION), and `data` is the object as it is now.',
  'A list returns `items`, `nextCursor` and `total`; send `nextCursor` as `cursor` for the next page.',
].join('\n\n');

/** `/admin/v1/users/{userId}/disable` → `users`. */
function tagOf({ path }: StaffEndpoint): string {
  if (path.startsWith(AUTH_BASE)) return 'sign-in';
  const [resource = ''] = path.slice(ADMIN_BASE.length + 1).split('/');
  return resource === 'openapi.json' ? 'description' : resource;
}

function operationOf(name: string, endpoint: StaffEndpoint, collector: SchemaCollector): object {
  const parameters = parametersOf(endpoint, collector);
  const body = requestBodyOf(endpoint, collector);
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: describe(endpoint),
    security: SECURITY[endpoint.authentication],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.replies).map(([status, reply]) => [
          status,
          successOf(reply, endpoint, collector),
        ]),
      ),
      ...errorResponses(errorsOfStaffEndpoint(endpoint), collector, (status, codes) => ({
        answer: errorAnswerOf(endpoint, codes),
        headers: errorHeadersOf(status),
      })),
    },
  };
}

const CSV =
  'With `Accept: text/csv`: all rows that match as CSV, audited. The last line is `# complete, N rows`.';

function describe({ description, permission, csv }: StaffEndpoint): string {
  const csvText = csv === undefined ? '' : ` ${CSV}`;
  return permission === null
    ? description
    : `${description}${csvText}\n\nPermission: \`${permission}\` (${PERMISSIONS[permission].join(', ')}).`;
}

function parametersOf(endpoint: StaffEndpoint, collector: SchemaCollector): object[] {
  const parameters = locatedParameters(endpoint, collector);
  if (endpoint.method !== 'GET') return [...parameters, CSRF];
  return endpoint.authentication === 'session' ? [...parameters, BACKGROUND] : parameters;
}

const CSRF = {
  name: 'X-PPAI-CSRF',
  in: 'header',
  required: true,
  description: 'Always 1. The Origin header must name an allowed origin too.',
  schema: { type: 'string', enum: ['1'] },
};

const BACKGROUND = {
  name: 'X-PPAI-Background',
  in: 'header',
  required: false,
  description: 'With 1 the request does not extend the session: for polls of a page.',
  schema: { type: 'string', enum: ['1'] },
};

function requestBodyOf(
  { body, isBodyOptional, upload }: StaffEndpoint,
  collector: SchemaCollector,
): object | undefined {
  if (body !== undefined) {
    return {
      required: isBodyOptional !== true,
      content: { 'application/json': { schema: collector.convert(body, 'input') } },
    };
  }
  if (upload === undefined) return undefined;
  return {
    required: true,
    description: `At most ${upload.bytesMax} bytes.`,
    content: Object.fromEntries(
      upload.mediaTypes.map((mediaType) => [mediaType, { schema: { type: 'string' } }]),
    ),
  };
}

function successOf(
  { description, data, location, mediaType = 'application/json' }: Reply,
  { csv }: StaffEndpoint,
  collector: SchemaCollector,
): object {
  const schema =
    data === undefined ? { type: 'object' } : collector.convert(successSchema(data), 'output');
  const headers = {
    ...RESPONSE_HEADERS,
    ...(location !== undefined && {
      Location: { description: location, required: true, schema: { type: 'string' } },
    }),
  };
  const text = csv === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } };
  return { description, headers, content: { [mediaType]: { schema }, ...text } };
}

/** The error answer of one status. `data` is null, or what the endpoint says for one of the codes. */
function errorAnswerOf({ errorData = {} }: StaffEndpoint, codes: readonly ErrorCode[]): z.ZodType {
  const [data] = codes.flatMap((code) => errorData[code] ?? []);
  return data === undefined ? ErrorAnswer : errorSchema(z.union([data, z.null()]));
}

function errorHeadersOf(status: number): object {
  return {
    ...RESPONSE_HEADERS,
    ...(RETRYABLE.has(status) && {
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    }),
    ...(status === ERRORS.RATE_LIMITED.http && {
      RateLimit: { $ref: '#/components/headers/RateLimit' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
    }),
  };
}

const RETRYABLE = new Set<number>([ERRORS.RATE_LIMITED.http, ERRORS.INTERNAL_ERROR.http]);
const RESPONSE_HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

const HEADERS = {
  RequestId: {
    description:
      'The id of the request in the logs and the audit log: the id that you sent, or a new one.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      "The rest of the address's quota (IETF httpapi draft). Absent when the service itself is busy.",
    required: false,
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description:
      "The address's quota (IETF httpapi draft). Absent when the service itself is busy.",
    required: false,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Whole seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-ppai-session',
    description: 'Set by mfa/verify. Over plain HTTP on the same machine the name has no prefix.',
  },
  challenge: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-ppai-challenge',
    description: 'Set by login, valid for 5 minutes.',
  },
};

const SECURITY = {
  anyone: [],
  challenge: [{ challenge: [] }],
  'challenge-or-session': [{ challenge: [] }, { session: [] }],
  session: [{ session: [] }],
} as const satisfies Record<StaffEndpoint['authentication'], readonly object[]>;
