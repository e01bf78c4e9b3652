import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { makeOpenApi } from '../../../shared/contract/openapi/document.ts';

export interface Answer {
  readonly method: string;
  /** As requested; a query string is allowed. */
  readonly path: string;
  readonly status: number;
  /** Names in any case; a fetch `Headers` or the lowercase object of node:http. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON, or the text of an answer that is not JSON. */
  readonly body: unknown;
}

/** The deviations of an answer from the OpenAPI document, one sentence each; empty when it conforms. */
export function checkAnswer(answer: Answer): string[] {
  const found = findOperation(answer.method, answer.path);
  // Routes that are not in the document always answer NOT_FOUND (D25).
  if (found === undefined) {
    return answer.status === 404
      ? checkBody('404 of an unknown route', unknownRoute, answer)
      : [
          `${answer.method} ${answer.path} is not documented and answered ${answer.status}, not 404.`,
        ];
  }
  const name = `${answer.method} ${found.template} ${answer.status}`;
  const response = found.operation.responses[String(answer.status)];
  if (response === undefined) return [`${name} is not documented: ${JSON.stringify(answer.body)}`];
  const ofHeaders = [
    ...checkHeaders(name, response, answer),
    ...findUndocumented(name, response, answer),
  ];
  if (response.content === undefined) return [...ofHeaders, ...checkEmpty(name, answer)];
  return [
    ...ofHeaders,
    ...checkMediaType(name, response, answer),
    ...checkBody(name, bodyValidator(found, answer.status, response), answer),
  ];
}

interface Header {
  readonly required: boolean;
  readonly schema: { readonly type: string };
}

interface Response {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  /** Undefined for an answer without a body. */
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

interface Route {
  readonly template: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

const DOCUMENT_ID = 'registry';
const document = makeOpenApi();
const knownHeaders = document.components['headers'] as Readonly<Record<string, Header>>;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document, DOCUMENT_ID);

const routes = Object.entries(document.paths)
  .flatMap(([template, item]) =>
    Object.entries(item).map(
      ([method, operation]): Route => ({
        template,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
        operation: operation as unknown as Operation,
      }),
    ),
  )
  // A literal path comes before a path with parameters that also matches.
  .sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));

const unknownRoute = ajv.compile({
  type: 'object',
  properties: {
    success: { const: false },
    data: { type: 'null' },
    error: {
      allOf: [
        { $ref: `${DOCUMENT_ID}#/components/schemas/Error` },
        { properties: { code: { const: 'NOT_FOUND' } } },
      ],
    },
  },
  required: ['success', 'data', 'error'],
  additionalProperties: false,
});

const validators = new Map<string, ValidateFunction>();

function findOperation(method: string, path: string): Route | undefined {
  const [bare = ''] = path.split('?');
  return routes.find((route) => route.method === method.toUpperCase() && route.pattern.test(bare));
}

function bodyValidator(route: Route, status: number, response: Response): ValidateFunction {
  const key = `${route.method} ${route.template} ${status}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const pointer = [
    'paths',
    route.template,
    route.method.toLowerCase(),
    'responses',
    String(status),
    'content',
    mediaTypeOf(response),
    'schema',
  ]
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/');
  const validator = ajv.compile({ $ref: `${DOCUMENT_ID}#/${pointer}` });
  validators.set(key, validator);
  return validator;
}

function mediaTypeOf(response: Response): string {
  return Object.keys(response.content ?? {})[0] ?? '';
}

function checkBody(name: string, validate: ValidateFunction, { body }: Answer): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map((error) => `${name}: body${describe(error)}`);
}

function checkEmpty(name: string, answer: Answer): string[] {
  const isEmpty = answer.body === undefined || answer.body === '';
  return isEmpty && readHeader(answer, 'content-type') === undefined
    ? []
    : [`${name}: it must have no body.`];
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message ?? 'is wrong'} ${JSON.stringify(params)}`;
}

function checkMediaType(name: string, response: Response, answer: Answer): string[] {
  const expected = mediaTypeOf(response);
  const actual = readHeader(answer, 'content-type') ?? '';
  return actual.split(';')[0]?.trim() === expected
    ? []
    : [`${name}: content-type is "${actual}", not ${expected}.`];
}

function checkHeaders(name: string, response: Response, answer: Answer): string[] {
  return Object.entries(response.headers).flatMap(([header, { $ref }]) => {
    const rule = knownHeaders[$ref.slice($ref.lastIndexOf('/') + 1)];
    const value = readHeader(answer, header);
    if (rule === undefined) return [`${name}: ${$ref} is not in the document.`];
    if (value === undefined)
      return rule.required ? [`${name}: the header ${header} is missing.`] : [];
    const isWhole = rule.schema.type !== 'integer' || /^\d+$/.test(value);
    return isWhole ? [] : [`${name}: the header ${header} is "${value}", not a whole number.`];
  });
}

/** Headers that callers may use. */
const CONTRACT_HEADERS = [
  'ETag',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

function findUndocumented(name: string, response: Response, answer: Answer): string[] {
  return CONTRACT_HEADERS.filter(
    (header) => readHeader(answer, header) !== undefined && !(header in response.headers),
  ).map((header) => `${name}: the header ${header} is not documented.`);
}

function readHeader({ headers }: Answer, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  const value = entry?.[1];
  return typeof value === 'object' ? value.join(', ') : value;
}
