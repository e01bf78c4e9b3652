import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import { readSnippets } from '../../env/guide/snippets.ts';
import type { RegistryAccess } from '../driven-client.ts';
import type { Language } from '../languages.ts';

/** Runs the examples of a language, one after the other in one file beside its client, as an integrator would. */
export async function checkExample(
  { name, fence, client, example }: Language,
  folder: string,
  access: RegistryAccess,
): Promise<void> {
  const guide = readFileSync(join(findProjectRoot(), 'client', 'README.md'), 'utf8');
  const blocks = readSnippets(guide).filter(({ language }) => language === fence);
  assert(blocks.length > 0, `client/README.md has no example in ${name}`);
  copyFileSync(client, join(folder, basename(client)));
  writeFileSync(join(folder, example.file), blocks.map(({ code }) => code).join('\n'));
  writeFileSync(join(folder, 'first.json'), JSON.stringify(makeBody()));
  let printed = '';
  for (const [program = '', ...args] of example.commands) {
    const options = {
      cwd: folder,
      env: { ...process.env, ...clientEnvironment(access.url, access) },
    };
    printed += (await promisify(execFile)(program, args, options)).stdout;
  }
  assert.match(printed, /^ACCEPTED PPAI-\d{4}-\d+\nTRANSMISSION_COMPLETED /);
}
