import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeItem } from '../../../shared/contract/machine/changes.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import type { Random } from '../random.ts';
import type { Credentials, World } from '../world.ts';

/** `registry mirror` in a process of its own, which is killed and started again at random times. */
export interface KilledMirror {
  /** Lets the mirror read to the end of the feed and returns the lines of its file. */
  end(): Promise<readonly ChangeItem[]>;
}

/** Each start requests a token, and the registry limits token requests by address. */
const LIFE_MS = { min: 1_000, max: 10_000 };

/** Until `signal`, which kills it. */
export function runMirror(
  { build, baseUrl }: Pick<World, 'build' | 'baseUrl'>,
  credentials: Credentials,
  options: { random: Random; file: string; onKill: () => void; signal: AbortSignal },
): KilledMirror {
  const { random, file, onKill, signal } = options;
  let said = '';
  const start = (...flags: readonly string[]): ChildProcess => {
    const mirror = spawn(
      process.execPath,
      [build.fileOf('client/main'), 'mirror', file, ...flags],
      {
        env: { PATH: process.env['PATH'], ...clientEnvironment(baseUrl, credentials) },
        stdio: ['ignore', 'ignore', 'pipe'],
        signal,
        killSignal: 'SIGKILL',
      },
    );
    mirror.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = text;
    });
    return mirror;
  };
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const mirror = start();
      const exited = once(mirror, 'exit');
      const lifeMs = LIFE_MS.min + random.below(LIFE_MS.max - LIFE_MS.min);
      await sleep(lifeMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (mirror.exitCode !== null) throw new Error(`the mirror ended: ${said}`);
      mirror.kill('SIGKILL');
      await exited;
      onKill();
    }
    const [code] = await once(start('--once'), 'exit');
    if (code !== 0) throw new Error(`the mirror ended: ${said}`);
  };
  const running = run();
  // The scenario awaits it after the load.
  running.catch(() => undefined);
  return {
    end: async () => {
      ending.abort();
      await running;
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return lines.map((line): ChangeItem => JSON.parse(line));
    },
  };
}
