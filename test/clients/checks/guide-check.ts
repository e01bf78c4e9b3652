import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import { findDifference } from '../../env/guide/compare-output.ts';
import { startShell } from '../../env/guide/shell.ts';
import { readSnippets } from '../../env/guide/snippets.ts';
import type { RegistryAccess } from '../driven-client.ts';

const PROGRAMS = ['bash', 'curl', 'openssl'];

/** The programs that the guide's signature by hand needs, and that are not installed. */
export function missingGuidePrograms(): string[] {
  return PROGRAMS.filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  );
}

/** Runs the commands of docs/integrate.md that sign with curl and openssl, and sends a transmission with the same function. */
export async function checkGuide(folder: string, access: RegistryAccess): Promise<void> {
  const docs = join(findProjectRoot(), 'docs');
  const guide = readFileSync(join(docs, 'integrate.md'), 'utf8');
  const snippets = readSnippets(guide).filter(({ language }) => language === 'bash');
  assert(snippets.length > 0, 'docs/integrate.md has no commands in bash');
  copyFileSync(join(docs, 'first.json'), join(folder, 'first.json'));
  const env = { ...process.env, ...clientEnvironment(access.url, access) };
  const shell = startShell('bash', { cwd: folder, env });
  for (const { code, output = '' } of snippets) {
    assert.equal(findDifference(output, await shell.run(code)), undefined);
  }
  const answer = await shell.run('signed POST /api/v1/ppai/policies first.json');
  await shell.end();
  assert.match(answer, /"status":"ACCEPTED"/);
}
