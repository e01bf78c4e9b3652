import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBrunoFiles } from './bruno.ts';
import { readCollection } from './collection.ts';
import { makePostmanCollection } from './postman.ts';

export const BRUNO_FOLDER = 'bruno';
export const POSTMAN_FILE = 'ppai.postman_collection.json';

/** Writes both collections into an empty `folder` (D41). What it contained is removed. */
export function writeCollections(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const collection = readCollection();
  const files = new Map([
    ...[...makeBrunoFiles(collection)].map(
      ([file, text]) => [join(BRUNO_FOLDER, file), text] as const,
    ),
    [POSTMAN_FILE, `${JSON.stringify(makePostmanCollection(collection), null, 2)}\n`] as const,
  ]);
  for (const [file, text] of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
