import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

export interface ServerBinary {
  readonly path: string;
  /** Folders for LD_LIBRARY_PATH; empty for an installed program. */
  readonly libraries: readonly string[];
}

export interface DebianServer {
  /** The name of the program on the PATH. */
  readonly name: string;
  /** The path of the program in its package. */
  readonly path: string;
  readonly packages: readonly string[];
  /** Dependencies of the packages that are also needed, as a pattern, because their names differ between releases. */
  readonly dependencies?: RegExp;
  /** The last sentence of every error. */
  readonly remedy: string;
}

/** Finds the program on the PATH, or unpacks Debian's packages under .cache/. Throws with a remedy when neither is possible. */
export function findServerBinary(server: DebianServer): ServerBinary {
  const { name, path, remedy } = server;
  const installed = findOnPath(name);
  if (installed !== undefined) return { path: installed, libraries: [] };
  const folder = join(findProjectRoot(), '.cache', `${name.split('-')[0]}-${process.arch}`);
  if (!existsSync(folder)) unpackPackages(folder, server);
  const binary = { path: join(folder, path), libraries: librariesUnder(folder) };
  const { status, stderr } = spawnSync(binary.path, ['--version'], {
    env: { LD_LIBRARY_PATH: binary.libraries.join(':') },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${binary.path} does not run (${stderr.trim()}). ${remedy}`);
  return binary;
}

/** The path of an installed program. */
export function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks into a temporary folder and then moves it, so that a failed download leaves nothing that looks complete. */
function unpackPackages(
  folder: string,
  { name, packages, dependencies, remedy }: DebianServer,
): void {
  const cache = join(folder, '..');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpacking-'));
  try {
    downloadPackages(work, packages);
    if (dependencies !== undefined) downloadPackages(work, dependenciesOf(work, dependencies));
    const root = join(work, 'root');
    for (const file of packagesIn(work)) run('dpkg', ['-x', join(work, file), root], work);
    renameSync(root, folder);
  } catch (error) {
    throw new Error(
      `no ${name}: ${error instanceof Error ? error.message : String(error)}\n${remedy}`,
      { cause: error },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Uses the system's package lists, or downloads separate ones, for which no privilege is needed. */
function downloadPackages(work: string, packages: readonly string[]): void {
  try {
    run('apt-get', ['download', ...packages], work);
  } catch {
    const lists = join(work, 'lists');
    mkdirSync(join(lists, 'partial'), { recursive: true });
    const own = [
      '-o',
      `Dir::State::lists=${lists}`,
      '-o',
      `Dir::Cache=${work}`,
      '-o',
      'APT::Sandbox::User=',
    ];
    run('apt-get', [...own, 'update'], work);
    run('apt-get', [...own, 'download', ...packages], work);
  }
}

function packagesIn(work: string): string[] {
  return readdirSync(work).filter((name) => name.endsWith('.deb'));
}

function dependenciesOf(work: string, wanted: RegExp): string[] {
  const depends = packagesIn(work).map((file) => run('dpkg-deb', ['-f', file, 'Depends'], work));
  const names = depends.join(',').split(/[,|]/);
  return names
    .map((name) => name.trim().split(' ', 1)[0] ?? '')
    .filter((name) => wanted.test(name));
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw new Error(`${command} can't be run (${error.message})`);
  if (status !== 0) throw new Error(`${command} ${args.at(-1) ?? ''} failed: ${stderr.trim()}`);
  return stdout;
}

function librariesUnder(folder: string): string[] {
  const lib = join(folder, 'usr', 'lib');
  return readdirSync(lib, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(lib, entry.name));
}
