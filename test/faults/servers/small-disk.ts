import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** A file system in memory that can be filled completely. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk, so that no account can write to it. */
  fill(): void;
  /** Removes the file that fills the disk. */
  free(): void;
  unmount(): void;
}

const PREFIX = 'transmission-registry-disk-';
const BALLAST = 'ballast';
const OWNER = 'owner';
const SERVER_PID = join('postgres', 'postmaster.pid');

/** @throws {Error} when this process may not mount a file system, so that the scenario does not pass silently */
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
      `NOT TESTED: cannot mount a disk here (only root can): ${stderr || 'no mount command'}`,
    );
  }
  writeFileSync(join(folder, OWNER), String(process.pid));
  const ballast = join(folder, BALLAST);
  return {
    folder,
    fill: () => {
      const { status: written } = spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']);
      if (written === 0) throw new Error('the disk could not be filled');
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

/** Works even while an ending process still has a file open on it. */
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
