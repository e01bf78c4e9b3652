import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';

const FOLDERS = ['console', 'shared/contract', 'ops/console'];

/** A hash of everything that decides what the built console is: its sources, the contract, and the versions of packages. */
export function hashSources(): string {
  const root = findProjectRoot();
  const hash = createHash('sha256');
  const files = FOLDERS.flatMap((folder) => filesUnder(join(root, folder)));
  for (const file of [...files, join(root, 'package-lock.json')]) {
    hash.update(`${relative(root, file)}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Whether the folder has a console that was built from these sources. */
export function isBuiltFrom(folder: string, hash: string): boolean {
  const file = join(folder, SOURCE_HASH_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

export const SOURCE_HASH_FILE = 'sources.sha256';

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
