import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** A file system in memory that can be filled to its last byte. */
export interface SmallDisk {
  readonly folder: string;
  /** Nothing more can be written, by whatever account. */
  fill(): void;
  /** What filled it is removed. */
  free(): void;
  unmount(): void;
}

const PREFIX = 'transmission-registry-disk-';
const BALLAST = 'ballast';
const OWNER = 'owner';
const SERVER_PID = join('postgres', 'postmaster.pid');

/** @throws {Error} where this process may not mount: then nothing is shown, and that must be said */
export function mountSmallDisk(megabytes: number): SmallDisk {
  for (const entry of readdirSync(tmpdir())) {
    if (entry.startsWith(PREFIX)) removeIfAbandoned(join(tmpdir(), entry));
  }
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const { status, stderr } = spawnSync(
    '/bin/mount',
    ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(
      `NOT SHOWN: a disk of its own cannot be mounted here (as root it can): ${stderr || 'no mount command'}`,
    );
  }
  writeFileSync(join(folder, OWNER), String(process.pid));
  const ballast = join(folder, BALLAST);
  return {
    folder,
    fill: () => {
      const { status: written } = spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']);
      if (written === 0) throw new Error('the disk has no end');
      chmodSync(ballast, 0o600);
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => release(folder),
  };
}

function removeIfAbandoned(folder: string): void {
  const owner = readPid(join(folder, OWNER));
  if (owner !== undefined && isAlive(owner)) return;
  const server = readPid(join(folder, SERVER_PID));
  if (server !== undefined && isAlive(server)) process.kill(server, 'SIGKILL');
  release(folder);
}

/** Also while a process that is about to end still has a file open on it. */
function release(folder: string): void {
  spawnSync('/bin/umount', ['--lazy', folder]);
  rmSync(folder, { recursive: true, force: true });
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
