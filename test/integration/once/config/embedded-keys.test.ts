import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrMakeEmbeddedKeys } from '../../../../ops/embedded-postgres/keys.ts';
import { readConfig } from '../../../../shared/platform/config/config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the keys of the embedded database', () => {
  it('are made once, readable only by their owner, and are valid in the configuration', () => {
    const made = readOrMakeEmbeddedKeys(join(folder, 'new'), { databaseExists: false });
    expect(readOrMakeEmbeddedKeys(join(folder, 'new'), { databaseExists: true })).toEqual(made);
    expect(statSync(join(folder, 'new', 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readConfig(made).encryptionKeys).toHaveLength(1);
  });

  it('are not made again for an existing database', () => {
    expect(() => readOrMakeEmbeddedKeys(folder, { databaseExists: true })).toThrow(
      /keys\.json is missing/,
    );
  });

  it('are not replaced when the file is damaged', () => {
    writeFileSync(join(folder, 'keys.json'), '{"ENCRYPTION_KEYS":');
    expect(() => readOrMakeEmbeddedKeys(folder, { databaseExists: false })).toThrow(
      /can't be read as the keys/,
    );
  });
});
