import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeSeededTemplate } from './postgres.ts';

/** Handed to the processes of the test run through their environment. */
const SEEDED = 'TEST_SEEDED';

export interface SeededTemplate {
  /** Where the file of credentials is. */
  readonly dataDir: string;
  /** The variables with the keys that it was seeded under. */
  readonly keys: { readonly ENCRYPTION_KEYS: string; readonly CLIENT_SECRET_PEPPER: string };
}

/**
 * Seeds the demonstration data once for the whole run, as `npm run seed` does: passwords are slow to hash by design, and most
 * tests begin with it. By a process, since Jest runs its global setup without what maps packages for tests.
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
      'no demonstration data: this test belongs into a project with a global setup (jest.config.js)',
    );
  return JSON.parse(seeded) as SeededTemplate;
}
