import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { COMMON_LIMITS } from '../machine/access/limits.ts';
import { NOT_MODIFIED_STATUS } from '../machine/access/not-modified.ts';
import { Acknowledgment } from '../machine/acknowledgment.ts';
import {
  API_BASE,
  API_VERSION,
  CONFLICT_DATA,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type Reply,
  SIGNED_ERRORS,
} from '../machine/endpoints.ts';
import { ErrorAnswer, errorSchema, successSchema } from '../machine/envelope.ts';
import { SCENARIO_HEADER, scenariosOf } from '../machine/sandbox/scenario.ts';
import { TokenRequest } from '../machine/token.ts';
import { BODY_EXAMPLES } from './body-examples.ts';
import { errorResponses } from './error-responses.ts';
import { DATA_EXAMPLES, ERROR_DETAILS, errorDataExample } from './examples.ts';
import { HEADERS, headersOf, SECURITY_SCHEMES, securityOf } from './headers.ts';
import {
  type JsonSchema,
  locatedParameters,
  makeSchemaCollector,
  type SchemaCollector,
} from './schemas.ts';

export interface OpenApiOperation {
  readonly operationId: EndpointName;
  readonly [member: string]: unknown;
}

/** An OpenAPI 3.1.0 document. The type names only the members that our own code reads. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly [member: string]: unknown;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** Makes the description of the machine API from its endpoint table. `serverUrl` has no path. */
export function makeOpenApi({ serverUrl = '/' }: { serverUrl?: string } = {}): OpenApiDocument {
  const collector = makeSchemaCollector();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, endpoint] of Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]) {
    const path = `${API_BASE}${endpoint.path}`;
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, collector),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Insurer Transmission API',
      version: API_VERSION,
      description: DESCRIPTION,
    },
    servers: [{ url: serverUrl }],
    tags: TAGS,
    'x-limits': COMMON_LIMITS,
    paths,
    components: {
      schemas: collector.schemas,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION = [
  'Insurers, pools and management companies transmit passenger personal accident insurance to the registry.',
  'Every answer is one JSON envelope: `success`, `data`, `error`. Branch on `error.code`; read all of `error.details`.',
  'Every request except the token request carries a bearer token and four signature headers. The signature is the lowercase hex HMAC-SHA256, ' +
    'under your signing secret, of five parts joined by newlines: method, path with query string, timestamp, nonce, ' +
    'and the lowercase hex SHA-256 of the exact body bytes (of zero bytes when there is no body).',
  'ACCEPTED means only that the record was accepted as an electronic transmission. It does not guarantee the legal validity of the policy.',
].join('\n\n');

const TAGS = [
  { name: 'Access', description: 'Obtaining a token, and the limits of your client.' },
  { name: 'Policies', description: 'Transmitting, finding, amending and cancelling certificates.' },
  { name: 'Transmissions', description: 'Looking up the results of transmissions.' },
  { name: 'Vehicles', description: 'Checking whether a vehicle is covered.' },
  { name: 'Sandbox', description: 'Only in the sandbox, for trying out your system.' },
  { name: 'Reference', description: 'The documentation of this API.' },
] as const;

function tagOf({ path }: Endpoint): (typeof TAGS)[number]['name'] {
  if (path.startsWith('/oauth/') || path === '/limits') return 'Access';
  if (path.startsWith('/ppai/policies')) return 'Policies';
  if (/^\/ppai\/(?:transmissions|batches|changes)/.test(path)) return 'Transmissions';
  if (path.startsWith('/ppai/vehicles')) return 'Vehicles';
  if (path.startsWith('/sandbox')) return 'Sandbox';
  return 'Reference';
}

function operationOf(
  name: EndpointName,
  endpoint: Endpoint,
  collector: SchemaCollector,
): OpenApiOperation {
  const body = endpoint.body && requestBodyOf(name, endpoint, endpoint.body, collector);
  const parameters = parametersOf(endpoint, collector);
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: endpoint.scope
      ? `${endpoint.description}\n\nScope: \`${endpoint.scope}\`.`
      : endpoint.description,
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.replies).map(([status, reply]) => [
          status,
          successOf(name, endpoint, Number(status), reply, collector),
        ]),
      ),
      ...errorsOf(endpoint, collector),
    },
  };
}

function parametersOf(endpoint: Endpoint, collector: SchemaCollector): object[] {
  const parameters = locatedParameters(endpoint, collector, PARAMETER_EXAMPLES);
  return [
    ...parameters,
    ...(endpoint.prefer ? [preferParameter(endpoint)] : []),
    ...(endpoint.outcomes ? [scenarioParameter(endpoint)] : []),
    ...(NOT_MODIFIED_STATUS in endpoint.replies ? [IF_NONE_MATCH] : []),
  ];
}

/** “Try it out” sends these values. Parameters that are not listed here keep their defaults. */
const PARAMETER_EXAMPLES = {
  registryReference: 'PPAI-2026-000000001',
  transmissionReferenceOrExternalId: 'PPAI-TX-2026-000000001',
  batch: 'BATCH-2026-10-01',
  identifier: 'NCR1001',
  plateNumber: 'NCR1001',
  version: '1',
  toVersion: '2',
  page: 1,
  pageSize: 25,
  limit: 50,
};

const preferParameter = ({ method }: Endpoint) => ({
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    method === 'GET'
      ? 'RFC 7240. `wait=N` holds the answer for up to N seconds (0 to 30) until there is an outcome or a change.'
      : 'RFC 7240. `wait=N` waits up to N seconds (0 to 30) for the outcome. `respond-async` answers without waiting.',
  schema: { type: 'string' },
  example: 'wait=10',
});

const scenarioParameter = (endpoint: Endpoint) => ({
  name: SCENARIO_HEADER,
  in: 'header',
  required: false,
  description: `In the sandbox only; elsewhere it is refused. What is to happen, one of ${scenariosOf(endpoint).join(', ')}.`,
  schema: { type: 'string' },
});

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of an earlier answer. If nothing has changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
};

function requestBodyOf(
  name: EndpointName,
  endpoint: Endpoint,
  body: z.ZodType,
  collector: SchemaCollector,
): object {
  const content = {
    schema: collector.convert(
      endpoint.authentication === 'credentials' ? TokenRequest : body,
      'input',
    ),
    examples: wrapExamples(BODY_EXAMPLES[name] ?? {}),
  };
  return {
    required: true,
    content: {
      'application/json': content,
      ...(endpoint.authentication === 'credentials' && {
        'application/x-www-form-urlencoded': content,
      }),
    },
  };
}

function successOf(
  name: EndpointName,
  endpoint: Endpoint,
  status: number,
  reply: Reply,
  collector: SchemaCollector,
): object {
  const headers = headersOf(endpoint, status);
  if (status === NOT_MODIFIED_STATUS) return { description: reply.description, headers };
  if (reply.data === undefined) {
    const schema = reply.mediaType === 'application/json' ? { type: 'object' } : { type: 'string' };
    return {
      description: reply.description,
      headers,
      content: { [reply.mediaType ?? 'application/octet-stream']: { schema } },
    };
  }
  const data = DATA_EXAMPLES[name]?.[status] ?? {};
  const examples = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, { success: true, data: value, error: null }]),
  );
  return {
    description: reply.description,
    headers,
    content: {
      'application/json': {
        schema: collector.convert(successSchema(reply.data), 'output'),
        examples: wrapExamples(examples),
      },
    },
  };
}

/** Every error of the endpoint, grouped by HTTP status. */
function errorsOf(endpoint: Endpoint, collector: SchemaCollector): Record<string, object> {
  const codes = new Set<ErrorCode>([
    ...(endpoint.authentication === 'signed' ? SIGNED_ERRORS : []),
    ...endpoint.errors,
  ]);
  const isSubmission = endpoint.errors.some(isConflictCode);
  return errorResponses(codes, collector, (status, ofStatus) => ({
    answer: isSubmission ? errorSchema(refusalData(ofStatus)) : ErrorAnswer,
    headers: headersOf(endpoint, status),
    examples: wrapExamples(
      Object.fromEntries(ofStatus.map((code) => [code, errorExample(code, isSubmission)])),
    ),
  }));
}

/** `data` of a refused submission: the transmission that it conflicts with, its own acknowledgment, or null. */
function refusalData(codes: readonly ErrorCode[]): z.ZodType {
  const conflicts = codes.filter(isConflictCode).map((code) => CONFLICT_DATA[code]);
  const isAlwaysConflict = conflicts.length === codes.length;
  const own = codes.some((code) => ERRORS[code].http === 422 || code === 'CONFLICT')
    ? [Acknowledgment]
    : [];
  return z.union([...conflicts.slice(0, 1), ...own, ...(isAlwaysConflict ? [] : [z.null()])]);
}

function isConflictCode(code: ErrorCode): code is keyof typeof CONFLICT_DATA {
  return code in CONFLICT_DATA;
}

function errorExample(code: ErrorCode, submission: boolean): object {
  const details = ERROR_DETAILS[code];
  return {
    success: false,
    data: errorDataExample(code, submission),
    error: {
      code,
      message: ERRORS[code].title,
      ...(details && { details }),
      requestId: 'b1e6f0de-4c39-4a6c-9b0e-2f1f3f1c7a55',
    },
  };
}

function wrapExamples(examples: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(examples).map(([key, value]) => [key, { value }]));
}
