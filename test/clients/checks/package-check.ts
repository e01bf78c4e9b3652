import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makePackage, PACKAGE_NAME } from '../../../ops/package/make-package.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeBody } from '../../env/api/bodies.ts';
import type { RegistryAccess } from '../driven-client.ts';

const ROOT = findProjectRoot();

const PROGRAM = `
import { makeRegistryClient, type SubmissionOutcome } from '${PACKAGE_NAME}';
import type { ErrorCode } from '${PACKAGE_NAME}/contract/errors';
declare const access: Parameters<typeof makeRegistryClient>[0];
const outcome: SubmissionOutcome = await makeRegistryClient(access).readTransmission('A');
export const code: ErrorCode | undefined = outcome.error?.code;
// @ts-expect-error The status is a number: if this compiled, the package would lack its types.
export const status: string = outcome.status;
`;

const SCRIPT = `
import { readFileSync } from 'node:fs';
import { makeRegistryClient } from '${PACKAGE_NAME}';
const { access, body } = JSON.parse(readFileSync('input.json', 'utf8'));
const outcome = await makeRegistryClient(access).transmitAndWait(body);
process.stdout.write(outcome.ok ? outcome.data.status : outcome.error.code);
`;

/** Installs the tarball in an empty folder, imports it, transmits with it, and compiles a program with its types. */
export async function checkPackage(
  folder: string,
  { url, ...credentials }: RegistryAccess,
): Promise<void> {
  const tarball = makePackage({ dist: join(folder, 'dist') });
  const project = join(folder, 'project');
  mkdirSync(project);
  const write = (file: string, text: string) => writeFileSync(join(project, file), text);
  const run = async (command: string, ...args: string[]): Promise<string> =>
    (await promisify(execFile)(command, args, { cwd: project })).stdout;

  write('package.json', JSON.stringify(makeManifest(tarball)));
  // Without a network. The folders of the dependencies are copied.
  await run('npm', 'install', '--offline', '--install-links', '--ignore-scripts', '--no-audit');
  write(
    'input.json',
    JSON.stringify({ access: { baseUrl: url, ...credentials }, body: makeBody() }),
  );
  write('transmit.mjs', SCRIPT);
  assert.equal(await run(process.execPath, 'transmit.mjs'), 'ACCEPTED');
  assert.match(await run(join('node_modules', '.bin', 'registry'), '--help'), /transmit/);

  write('program.mts', PROGRAM);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--types',
    '',
    '--lib',
    'es2023,dom',
  ];
  await run(process.execPath, tsc, ...options, 'program.mts');
}

/** Names every dependency as a folder of this project, because npm has no registry to ask. */
function makeManifest(tarball: string): object {
  const own = JSON.parse(
    readFileSync(join(dirname(tarball), 'package', 'package.json'), 'utf8'),
  ) as PackageManifest;
  const folders = new Map<string, string>();
  for (const name of Object.keys(own.dependencies ?? {})) addFolders(folders, name, ROOT);
  const dependencies = [[PACKAGE_NAME, tarball], ...folders].map(([name, path]) => [
    name,
    `file:${path}`,
  ]);
  return { private: true, type: 'module', dependencies: Object.fromEntries(dependencies) };
}

interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Adds the folder of a package and of its dependencies, as Node finds them from the folder `from`. */
function addFolders(folders: Map<string, string>, name: string, from: string): void {
  const folder = findPackage(name, from);
  if (folders.get(name) === folder) return;
  assert(!folders.has(name), `two versions of ${name} cannot be installed side by side here`);
  folders.set(name, folder);
  const manifest = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as PackageManifest;
  for (const dependency of Object.keys(manifest.dependencies ?? {}))
    addFolders(folders, dependency, folder);
}

function findPackage(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (from === dirname(from)) throw new Error(`${name} is not installed`);
  return findPackage(name, dirname(from));
}
