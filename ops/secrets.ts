import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProjectRoot } from '../shared/platform/project-root.ts';

const KEY_BYTES = 32;
const TEMPLATE = '.env.example';
const FILE = '.env';

/** How each secret of .env.example is made. */
const SECRETS: Readonly<Record<string, () => string>> = {
  // Letters and digits only: it stands in a URL.
  POSTGRES_PASSWORD: () => randomBytes(KEY_BYTES).toString('hex'),
  DATABASE_PASSWORD: () => randomBytes(KEY_BYTES).toString('hex'),
  ENCRYPTION_KEYS: () => `k1:${randomBytes(KEY_BYTES).toString('base64')}`,
  CLIENT_SECRET_PEPPER: () => randomBytes(KEY_BYTES).toString('base64'),
};

/** .env.example with a new value for each secret. */
function fillSecrets(template: string): string {
  return template.replace(/^(\w+)=$/gm, (line, name: string) => {
    const make = SECRETS[name];
    return make === undefined ? line : `${line}${make()}`;
  });
}

/**
 * npm run secrets: makes .env in the working folder with new secrets, readable by its owner alone. It never replaces one, whose keys may seal data already.
 * With --print it writes to standard output instead. Returns the exit code.
 */
function main(args: readonly string[]): number {
  const filled = fillSecrets(readFileSync(join(findProjectRoot(), TEMPLATE), 'utf8'));
  if (args.includes('--print')) {
    process.stdout.write(filled);
    return 0;
  }
  try {
    writeFileSync(resolve(FILE), filled, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      process.stderr.write(
        `${FILE} is there already and was left as it is: data may be sealed under its keys. Move it away first if you mean to set up another registry.\n`,
      );
      return 1;
    }
    throw error;
  }
  process.stdout.write(
    `${FILE} made with new secrets. Keep a copy beside your backups: without its keys nobody can read the database.\n`,
  );
  return 0;
}

process.exitCode = main(process.argv.slice(2));
