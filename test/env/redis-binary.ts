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
import { findProjectRoot } from '../../shared/platform/project-root.ts';

export interface RedisBinary {
  readonly path: string;
  /** Folders for LD_LIBRARY_PATH; empty for an installed one. */
  readonly libraries: readonly string[];
}

const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/** redis-server of the PATH, else Debian's packages unpacked under .cache/. Throws with what to do when neither can be had. */
export function findRedisBinary(): RedisBinary {
  const installed = findOnPath('redis-server');
  if (installed !== undefined) return { path: installed, libraries: [] };
  const folder = join(findProjectRoot(), '.cache', `redis-${process.arch}`);
  if (!existsSync(folder)) unpackPackages(folder);
  const binary = {
    path: join(folder, 'usr', 'bin', 'redis-server'),
    libraries: librariesUnder(folder),
  };
  const { status, stderr } = spawnSync(binary.path, ['--version'], {
    env: { LD_LIBRARY_PATH: binary.libraries.join(':') },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${binary.path} does not run (${stderr.trim()}). ${REMEDY}`);
  return binary;
}

const REMEDY =
  'The tests need a Redis: install redis-server (7 or newer) so that it is on the PATH, or set REDIS_URL to one that may be written to.';

function findOnPath(name: string): string | undefined {
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

/** Unpacked beside its place and moved there whole: a broken download leaves nothing that looks complete. */
function unpackPackages(folder: string): void {
  const cache = join(folder, '..');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpacking-'));
  try {
    downloadPackages(work);
    const root = join(work, 'root');
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      run('dpkg', ['-x', join(work, file), root], work);
    }
    renameSync(root, folder);
  } catch (error) {
    throw new Error(
      `no Redis: ${error instanceof Error ? error.message : String(error)}\n${REMEDY}`,
      { cause: error },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** With the package lists of the system, else with lists of its own, which needs no privilege. */
function downloadPackages(work: string): void {
  try {
    run('apt-get', ['download', ...PACKAGES], work);
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
    run('apt-get', [...own, 'download', ...PACKAGES], work);
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { error, status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw new Error(`${command} can't be run (${error.message})`);
  if (status !== 0) throw new Error(`${command} ${args.at(-1) ?? ''} failed: ${stderr.trim()}`);
}

function librariesUnder(folder: string): string[] {
  const lib = join(folder, 'usr', 'lib');
  return readdirSync(lib, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(lib, entry.name));
}
