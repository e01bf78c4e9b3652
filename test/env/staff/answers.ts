import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { makeStaffOpenApi } from '../../../shared/contract/openapi/staff-document.ts';
import type { TestAnswer } from '../api/signed-request.ts';

interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
}

interface Response {
  readonly headers: Readonly<Record<string, Header>>;
  readonly content: Readonly<Record<string, object>>;
}

/** Headers that callers may use. */
const CONTRACT_HEADERS = ['Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

const DOCUMENT_ID = 'staff';
const document = makeStaffOpenApi();
const knownHeaders = document.components['headers'] as Readonly<Record<string, Header>>;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document, DOCUMENT_ID);

const templates = Object.keys(document.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  // A literal path comes before a path with parameters that also matches.
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

const validators = new Map<string, ValidateFunction>();

/** The deviations of an answer from the staff API's document; empty when it conforms. Ignores unknown routes and preflights. */
export function checkStaffAnswer(method: string, target: string, answer: TestAnswer): string[] {
  const [path = ''] = target.split('?');
  const verb = method.toLowerCase();
  const template = templates.find(
    (candidate) =>
      candidate.pattern.test(path) && verb in (document.paths[candidate.template] ?? {}),
  )?.template;
  if (template === undefined) {
    return answer.status === 404 || answer.status === 204
      ? []
      : [`${method} ${path} is not documented and answered ${answer.status}`];
  }
  const operation = document.paths[template]?.[verb] as
    | { responses: Record<string, Response> }
    | undefined;
  const name = `${method} ${template} ${answer.status}`;
  const response = operation?.responses[String(answer.status)];
  if (response === undefined) return [`${name} is not documented: ${answer.text}`];
  const missing = Object.keys(response.headers).filter(
    (header) =>
      answer.headers[header.toLowerCase()] === undefined && isRequired(response.headers[header]),
  );
  const undocumented = CONTRACT_HEADERS.filter(
    (header) => answer.headers[header.toLowerCase()] !== undefined && !(header in response.headers),
  );
  const validate = validatorOf(template, verb, answer.status, response);
  return [
    ...missing.map((header) => `${name}: the header ${header} is missing`),
    ...undocumented.map((header) => `${name}: the header ${header} is not documented`),
    ...(validate(answer.envelope)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${name}: body${instancePath} ${message} ${JSON.stringify(params)}`,
        )),
  ];
}

function isRequired(header: Header | undefined): boolean {
  const name = header?.$ref?.split('/').at(-1) ?? '';
  return (name === '' ? header : knownHeaders[name])?.required !== false;
}

function validatorOf(
  template: string,
  verb: string,
  status: number,
  { content }: Response,
): ValidateFunction {
  const [mediaType = ''] = Object.keys(content);
  const pointer = [
    'paths',
    template,
    verb,
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  ]
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const made = ajv.compile({ $ref: `${DOCUMENT_ID}#/${pointer}` });
  validators.set(pointer, made);
  return made;
}
