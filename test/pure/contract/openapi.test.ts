import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { FINDING_CODES } from '../../../shared/contract/findings.ts';
import {
  API_BASE,
  ENDPOINTS,
  type Endpoint,
  SIGNED_ERRORS,
} from '../../../shared/contract/machine/endpoints.ts';
import { rejectionCode } from '../../../shared/contract/machine/rejection.ts';
import { makeOpenApi } from '../../../shared/contract/openapi/document.ts';

interface Content {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Response {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

const require = createRequire(import.meta.url);
const document = makeOpenApi({ serverUrl: 'https://registry.example.org' });
const endpoints = Object.entries(ENDPOINTS) as [string, Endpoint][];

function operationOf(endpoint: Endpoint): Operation {
  const operation = document.paths[`${API_BASE}${endpoint.path}`]?.[endpoint.method.toLowerCase()];
  return operation as unknown as Operation;
}

describe('the OpenAPI document', () => {
  it('passes the linter without an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(document));
      const manifest = require.resolve('@redocly/cli/package.json');
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(dirname(manifest), 'bin', 'cli.js'), 'lint', file, '--format=json'],
        {
          cwd: folder,
          encoding: 'utf8',
          env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        },
      );
      expect({ status, problems: status === 0 ? '' : stdout + stderr }).toEqual({
        status: 0,
        problems: '',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is OpenAPI 3.1.0 of API version 1.0.0 and the same at each call', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(document['servers']).toEqual([{ url: 'https://registry.example.org' }]);
    expect(makeOpenApi({ serverUrl: 'https://registry.example.org' })).toEqual(document);
  });

  it.each(endpoints)(
    'describes %s with every answer and every possible error',
    (name, endpoint) => {
      const operation = operationOf(endpoint);
      expect(operation.operationId).toBe(name);
      const codes = [
        ...(endpoint.authentication === 'signed' ? SIGNED_ERRORS : []),
        ...endpoint.errors,
      ];
      const statuses = [
        ...Object.keys(endpoint.replies),
        ...codes.map((code) => String(ERRORS[code].http)),
      ];
      expect(Object.keys(operation.responses).sort()).toEqual([...new Set(statuses)].sort());
      for (const code of codes) {
        const examples =
          operation.responses[ERRORS[code].http]?.content['application/json']?.examples;
        expect(examples?.[code]?.value).toMatchObject({ success: false, error: { code } });
      }
    },
  );

  it.each(endpoints.filter(([, { authentication }]) => authentication === 'signed'))(
    'requires a token, four signature headers and the scope for %s',
    (_, endpoint) => {
      const operation = operationOf(endpoint);
      expect(operation.security).toEqual([
        {
          bearer: endpoint.scope === null ? [] : [endpoint.scope],
          clientId: [],
          timestamp: [],
          nonce: [],
          signature: [],
        },
      ]);
      const counted = operation.responses[Object.keys(endpoint.replies)[0] ?? '']?.headers;
      expect(Object.keys(counted ?? {})).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
      );
      expect(operation.responses['429']?.headers).toHaveProperty('Retry-After');
    },
  );

  it('documents Preference-Applied on every answer with an outcome', () => {
    const rejectionCodes = Object.keys(FINDING_CODES).map((code) =>
      rejectionCode([{ code, level: 2, severity: 'ERROR', field: null, message: 'A rejection.' }]),
    );
    const rejections = new Set<number>();
    for (const [, endpoint] of endpoints) {
      if (!endpoint.prefer || endpoint.method === 'GET') continue;
      const { responses } = operationOf(endpoint);
      const codes = endpoint.errors.filter((code) => rejectionCodes.includes(code));
      for (const { http } of codes.map((code) => ERRORS[code])) {
        rejections.add(http);
        expect(responses[http]?.headers).toHaveProperty('Preference-Applied');
      }
    }
    expect(rejections).toEqual(new Set([409, 422]));
  });

  it('has an example for every body and every enveloped success', () => {
    for (const [, endpoint] of endpoints) {
      const operation = operationOf(endpoint);
      if (endpoint.body)
        expect(operation.requestBody?.content['application/json']?.examples).not.toEqual({});
      for (const [status, reply] of Object.entries(endpoint.replies)) {
        if (reply.data === undefined) continue;
        expect(operation.responses[status]?.content['application/json']?.examples).not.toEqual({});
      }
    }
  });

  it('validates every example against its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    formats.default(ajv);
    ajv.addSchema(document, 'document');
    const absolute = (schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
    let count = 0;
    for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      const { requestBody, responses } = operation as unknown as Operation;
      const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      for (const { schema, examples } of contents) {
        const validate = ajv.compile(absolute(schema));
        for (const [name, { value }] of Object.entries(examples ?? {})) {
          validate(value);
          expect({ operation: operation.operationId, name, errors: validate.errors }).toMatchObject(
            { errors: null },
          );
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it('does not cite decisions by number, which its readers do not know', () => {
    expect(JSON.stringify(document)).not.toMatch(/\(D\d+\)/);
  });

  it('defines every schema that it references, and references every schema that it defines', () => {
    const text = JSON.stringify(document);
    const referred = new Set(
      [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
    );
    expect(referred).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('allows only documented members in an answer', () => {
    const open = Object.entries(document.components.schemas)
      .filter(
        ([name, schema]) =>
          schema['type'] === 'object' &&
          !/Body$|Request$|^Changes$|^Vehicle(Changes|Selector)$/.test(name),
      )
      .filter(([, schema]) => schema['additionalProperties'] !== false);
    expect(open).toEqual([]);
  });

  it('says which bodies may not have unknown members', () => {
    const strict = Object.entries(document.components.schemas)
      .filter(([name, schema]) => name.endsWith('Body') && schema['additionalProperties'] === false)
      .map(([name]) => name);
    expect(strict.sort()).toEqual(['LookupBody', 'SandboxClockBody']);
  });
});
