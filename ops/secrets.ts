import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProjectRoot } from '../shared/platform/project-root.ts';

const KEY_BYTES = 32;
const TEMPLATE = '.env.example';
const FILE = '.env';

/** Makes a value for each secret of .env.example. */
const SECRETS: Readonly<Record<string, () => string>> = {
  // Letters and digits only, because it is part of a URL.
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
 * npm run secrets: creates .env with new secrets in the working folder, readable only by its owner. It never replaces an existing file,
 * because data may be sealed under its keys. With --print it writes to standard output instead. Returns the exit code.
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
        `${FILE} already exists and was not changed: data may be sealed under its keys. To set up another registry, move the file away first.\n`,
      );
      return 1;
    }
    throw error;
  }
  process.stdout.write(
    `${FILE} created with new secrets. Keep a copy with your backups: without its keys nobody can read the database.\n`,
  );
  return 0;
}

process.exitCode = main(process.argv.slice(2));
