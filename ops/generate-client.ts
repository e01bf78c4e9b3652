import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProjectRoot } from '../shared/platform/project-root.ts';

/** Generates the database client from prisma/schema.prisma after an install. A production install has no prisma; its build contains the client. */
function generateClient(): number {
  const command = findPrisma();
  if (command === undefined) {
    process.stdout.write('prisma is not installed: the database client is not generated here\n');
    return 0;
  }
  const { status } = spawnSync(process.execPath, [command, 'generate', '--no-hints'], {
    cwd: findProjectRoot(),
    stdio: 'inherit',
    // `generate` does not use the schema engine, but would download one if no path were given.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  return status ?? 1;
}

function findPrisma(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { prisma: string } };
    return join(dirname(manifest), bin.prisma);
  } catch {
    return undefined;
  }
}

process.exitCode = generateClient();
