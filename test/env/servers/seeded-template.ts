import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeSeededTemplate } from './postgres.ts';

/** Passed to the processes of the test run through their environment. */
const SEEDED = 'TEST_SEEDED';

export interface SeededTemplate {
  /** The folder of the credentials file. */
  readonly dataDir: string;
  /** The variables with the keys of the seeded data. */
  readonly keys: { readonly ENCRYPTION_KEYS: string; readonly CLIENT_SECRET_PEPPER: string };
}

/**
 * Seeds the demonstration data once for the whole run, because hashing passwords is slow and most tests need the data. Runs
 * `npm run seed` in a process, because Jest's global setup does not use the module mapping of the tests.
 */
export async function seedTemplate(folder: string): Promise<void> {
  const dataDir = join(folder, 'demonstration');
  mkdirSync(dataDir);
  const keys = {
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
  };
  await makeSeededTemplate(async (databaseUrl) => {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'ops/seed/command.ts'], {
      cwd: findProjectRoot(),
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        LOG_LEVEL: 'warn',
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        ...keys,
      },
    });
  });
  const seeded: SeededTemplate = { dataDir, keys };
  process.env[SEEDED] = JSON.stringify(seeded);
}

export function seededTemplate(): SeededTemplate {
  const seeded = process.env[SEEDED];
  if (seeded === undefined)
    throw new Error(
      'no demonstration data: this test must be in a project with a global setup (jest.config.js)',
    );
  return JSON.parse(seeded) as SeededTemplate;
}
