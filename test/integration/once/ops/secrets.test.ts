import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../../../shared/platform/config/config.ts';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function makeSecrets(...args: string[]) {
  const root = findProjectRoot();
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  return spawnSync(process.execPath, ['--import', tsx, join(root, 'ops', 'secrets.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

describe('npm run secrets', () => {
  it('creates a file with every secret that the service requires, readable only by its owner', () => {
    expect(makeSecrets().status).toBe(0);
    const path = join(folder, '.env');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const made = parseEnv(readFileSync(path, 'utf8'));
    const config = readConfig(made);
    expect(config.encryptionKeys).toHaveLength(1);
    expect(config.clientSecretPepper).toHaveLength(1);
    expect(made['POSTGRES_PASSWORD']).toMatch(/^[0-9a-f]{64}$/);
    expect(made['DATABASE_PASSWORD']).toMatch(/^[0-9a-f]{64}$/);
    expect(made['DATABASE_PASSWORD']).not.toBe(made['POSTGRES_PASSWORD']);
  });

  it('never replaces secrets, under which data may be sealed', () => {
    makeSecrets();
    const before = readFileSync(join(folder, '.env'), 'utf8');
    const { status, stderr } = makeSecrets();
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('already exists and was not changed'),
    });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(before);
  });

  it('prints new secrets each time with --print', () => {
    const [one, other] = [makeSecrets('--print').stdout, makeSecrets('--print').stdout];
    expect(parseEnv(one)['ENCRYPTION_KEYS']).not.toBe(parseEnv(other)['ENCRYPTION_KEYS']);
  });

  it('fills in every variable that docker-compose.yml requires', () => {
    const compose = readFileSync(join(findProjectRoot(), 'docker-compose.yml'), 'utf8');
    const demanded = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    const made = parseEnv(makeSecrets('--print').stdout);
    expect(demanded.length).toBeGreaterThan(0);
    for (const name of demanded)
      expect({ name, value: made[name] }).not.toEqual({ name, value: '' });
  });
});
