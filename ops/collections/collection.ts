import {
  API_BASE,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
} from '../../shared/contract/machine/endpoints.ts';
import { SIGNATURE_HEADER_NAMES } from '../../shared/contract/machine/signing.ts';
import { makeOpenApi, type OpenApiOperation } from '../../shared/contract/openapi/document.ts';

/** What the files for Bruno and Postman have in common. `{{name}}` is a variable in both. */
export interface Collection {
  readonly name: string;
  readonly description: string;
  readonly folders: readonly CollectionFolder[];
  /** The variables with their initial values; the user fills in the empty ones. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface CollectionFolder {
  readonly name: string;
  readonly requests: readonly CollectionRequest[];
}

export interface CollectionRequest {
  readonly endpoint: EndpointName;
  readonly name: string;
  readonly description: string;
  readonly method: 'GET' | 'POST';
  /** Begins with a slash. Parameters are variables. */
  readonly path: string;
  readonly query: readonly QueryParameter[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. Undefined for a GET request. */
  readonly body: string | undefined;
  /** The variables that take a value from `data` of the answer: the member by the name of the variable. */
  readonly captures: Readonly<Record<string, string>>;
}

export interface QueryParameter {
  readonly name: string;
  /** Escaped as it is sent. */
  readonly value: string;
  readonly isEnabled: boolean;
}

const CREDENTIALS = {
  baseUrl: 'http://127.0.0.1:3000',
  clientId: '',
  clientSecret: '',
  signingSecret: '',
  accessToken: '',
};

const CAPTURES: Partial<Record<EndpointName, Readonly<Record<string, string>>>> = {
  issueToken: { accessToken: 'access_token' },
  transmit: {
    registryReference: 'registryReference',
    transmissionReferenceOrExternalId: 'transmissionReference',
  },
};

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example?: string | number;
}

/** Makes the collection from the endpoint table; its OpenAPI description has the examples. */
export function readCollection(): Collection {
  const { info, paths } = makeOpenApi();
  const tags = new Map<string, CollectionRequest[]>();
  const variables: Record<string, string> = { ...CREDENTIALS };
  for (const [name, endpoint] of Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]) {
    const operation = paths[`${API_BASE}${endpoint.path}`]?.[endpoint.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${name} is not in the OpenAPI description`);
    const parameters = (operation['parameters'] ?? []) as readonly Parameter[];
    for (const { in: place, name: parameter, example } of parameters)
      if (place === 'path') variables[parameter] = String(example ?? '');
    const [tag = ''] = operation['tags'] as readonly string[];
    const requests = tags.get(tag) ?? [];
    tags.set(tag, [...requests, makeRequest(name, endpoint, operation, parameters)]);
  }
  return {
    name: info.title,
    description: String(info['description']),
    folders: [...tags].map(([name, requests]) => ({ name, requests })),
    variables,
  };
}

function makeRequest(
  name: EndpointName,
  endpoint: Endpoint,
  operation: OpenApiOperation,
  parameters: readonly Parameter[],
): CollectionRequest {
  return {
    endpoint: name,
    name: String(operation['summary']),
    description: String(operation['description']),
    method: endpoint.method,
    path: `${API_BASE}${endpoint.path}`.replaceAll('{', '{{').replaceAll('}', '}}'),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name: parameter, example }) => ({
        name: parameter,
        value: encodeURIComponent(example ?? ''),
        isEnabled: example !== undefined,
      })),
    headers: {
      ...(endpoint.body && { 'Content-Type': 'application/json' }),
      ...(endpoint.authentication === 'signed' && {
        Authorization: 'Bearer {{accessToken}}',
        [SIGNATURE_HEADER_NAMES.clientId]: '{{clientId}}',
      }),
    },
    body: bodyOf(endpoint, operation),
    captures: CAPTURES[name] ?? {},
  };
}

interface RequestBody {
  readonly content: {
    readonly 'application/json': {
      readonly examples: Readonly<Record<string, { readonly value: object }>>;
    };
  };
}

function bodyOf(endpoint: Endpoint, operation: OpenApiOperation): string | undefined {
  const body = operation['requestBody'] as RequestBody | undefined;
  if (body === undefined) return undefined;
  const [example] = Object.values(body.content['application/json'].examples);
  const credentials = endpoint.authentication === 'credentials' && {
    client_id: '{{clientId}}',
    client_secret: '{{clientSecret}}',
    scope: undefined,
  };
  return JSON.stringify({ ...example?.value, ...credentials }, null, 2);
}
