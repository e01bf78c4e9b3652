import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProjectRoot } from '../../shared/platform/project-root.ts';

/** Whether this program was compiled by `npm run build`, which also built its console. */
export function isCompiled(): boolean {
  return fileURLToPath(import.meta.url).endsWith('.js');
}

/** The folder of the built console: in dist/ for a compiled program, in .cache/ for one that runs from the sources. */
export function consoleFolder(): string {
  return join(findProjectRoot(), isCompiled() ? 'dist' : '.cache', 'console');
}
