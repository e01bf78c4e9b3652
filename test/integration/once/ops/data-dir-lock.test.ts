import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../../../ops/launch/data-dir-lock.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';

const options = { logger: makeLogger({ level: 'silent', name: 'test' }), graceMs: 2_000 };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function sleeper(preparation = '') {
  const child = spawn('/bin/sh', ['-c', `${preparation} echo up; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const up = new Promise<void>((done) => child.stdout.once('data', () => done()));
  const { pid = 0 } = child;
  return {
    pid,
    up,
    ended,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The lock file of a killed system: its owner no longer runs. */
function leaveBehind(): void {
  const path = join(folder, 'system.json');
  const content = JSON.parse(readFileSync(path, 'utf8')) as {
    owner: { pid: number; birth: string };
  };
  content.owner = { pid: 1, birth: 'long ago' };
  writeFileSync(path, JSON.stringify(content));
}

describe('the data folder', () => {
  it('is free again after a release', async () => {
    const first = await lockDataDir(folder, options);
    first.release();
    expect(existsSync(join(folder, 'system.json'))).toBe(false);
    const second = await lockDataDir(folder, options);
    second.release();
  });

  it('is refused while another system runs on it', async () => {
    const other = sleeper();
    await other.up;
    const lock = await lockDataDir(folder, options);
    lock.note(other.pid, true);
    const path = join(folder, 'system.json');
    const content = JSON.parse(readFileSync(path, 'utf8')) as {
      owner: unknown;
      children: unknown[];
    };
    writeFileSync(path, JSON.stringify({ owner: content.children[0], children: [] }));
    await expect(lockDataDir(folder, options)).rejects.toThrow(
      `process ${other.pid} already runs a registry on ${folder}`,
    );
    await other.end();
  });

  it.each([
    ['ends after SIGTERM', ''],
    ['ignores SIGTERM', "trap '' TERM;"],
  ])('is locked after a process of a killed system has ended: it %s', async (_, preparation) => {
    const child = sleeper(preparation);
    await child.up;
    const lock = await lockDataDir(folder, options);
    lock.note(child.pid, true);
    leaveBehind();
    const next = await lockDataDir(folder, { ...options, graceMs: 300 });
    await child.ended;
    next.release();
  });
});
