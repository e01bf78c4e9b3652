import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files that Git tracks or would add, relative to the project. */
export function listProjectFiles(project: string): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: project, encoding: 'utf8' },
  );
  // A file that was deleted and not yet committed is still listed.
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(project, file)));
}
