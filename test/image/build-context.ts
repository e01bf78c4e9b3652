import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listProjectFiles } from '../env/project-files.ts';

/** Copies what a build of the image sees: the files git knows or would add, less those of .dockerignore. */
export function copyBuildContext(project: string, folder: string): void {
  const isIgnored = makeIgnore(readFileSync(join(project, '.dockerignore'), 'utf8'));
  for (const file of listProjectFiles(project)) {
    if (isIgnored(file)) continue;
    const place = join(folder, file);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(project, file), place);
  }
}

/** For the forms that our .dockerignore uses: a path from the root with all below it, and `*.<ending>`. */
export function makeIgnore(text: string): (file: string) => boolean {
  const patterns = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (file) =>
    patterns.some((pattern) =>
      pattern.startsWith('*.')
        ? !file.includes('/') && file.endsWith(pattern.slice(1))
        : file === pattern || file.startsWith(`${pattern}/`),
    );
}
