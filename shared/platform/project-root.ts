import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, both for the sources and for the build in dist/. */
export function findProjectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        `no package.json above ${fileURLToPath(import.meta.url)}: the program must stay in its project folder`,
      );
    folder = parent;
  }
  return folder;
}
