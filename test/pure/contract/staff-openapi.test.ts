import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { makeOpenApi } from '../../../shared/contract/openapi/document.ts';
import { makeStaffOpenApi } from '../../../shared/contract/openapi/staff-document.ts';
import {
  errorsOfStaffEndpoint,
  type StaffEndpoint,
} from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';

const require = createRequire(import.meta.url);
const document = makeStaffOpenApi({ serverUrl: 'https://registry.example.org' });
const endpoints = Object.entries<StaffEndpoint>(STAFF_ENDPOINTS);

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

function operationOf({ method, path }: StaffEndpoint): Operation {
  return document.paths[path]?.[method.toLowerCase()] as Operation;
}

describe("the staff realm's OpenAPI document", () => {
  it('passes the linter without an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'admin-openapi-'));
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
      const problems = status === 0 ? '' : stdout + stderr;
      expect({ status, problems }).toEqual({ status: 0, problems: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(endpoints)('describes %s with every answer and every error', (name, endpoint) => {
    const {
      operationId,
      responses,
      parameters = [],
      security,
      description,
    } = operationOf(endpoint);
    expect(operationId).toBe(name);
    const statuses = [
      ...Object.keys(endpoint.replies),
      ...errorsOfStaffEndpoint(endpoint).map((code) => String(ERRORS[code].http)),
    ];
    expect(new Set(Object.keys(responses))).toEqual(new Set(statuses));
    const names = parameters.map((parameter) => parameter.name);
    expect(names.includes('X-PPAI-CSRF')).toBe(endpoint.method !== 'GET');
    expect(security.length > 0).toBe(endpoint.authentication !== 'anyone');
    if (endpoint.permission !== null) expect(description).toContain(endpoint.permission);
  });

  it('describes each path parameter that a path names, and no other', () => {
    for (const [, endpoint] of endpoints) {
      const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operationOf(endpoint).parameters ?? []).filter((one) => one.in === 'path');
      expect(described.map(({ name }) => name)).toEqual(named);
    }
  });

  it('has no path in common with that of the machine API', () => {
    const machine = Object.keys(makeOpenApi().paths);
    expect(Object.keys(document.paths).filter((path) => machine.includes(path))).toEqual([]);
    expect(machine.filter((path) => /^\/(admin|auth)\//.test(path))).toEqual([]);
  });
});
