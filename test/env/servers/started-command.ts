import { type ChildProcess, spawn } from 'node:child_process';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

export interface StartedCommand {
  readonly process: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Resolves with the output when it matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<string>;
  readonly exited: Promise<number | null>;
}

/** Starts a command that runs the whole registry, with one worker, on a free port and a DATA_DIR of its own. */
export function startCommand(
  command: readonly string[],
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): StartedCommand {
  const child = spawn(process.execPath, ['--import', 'tsx', ...command], {
    cwd: findProjectRoot(),
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: '0',
      WORKERS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((done) => child.on('close', done));
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(output)) return;
        child.stdout.off('data', look);
        resolve(output);
      };
      child.stdout.on('data', look);
      child.on('close', () => reject(new Error(`ended before ${pattern}: ${output}`)));
      look();
    });
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { process: child, output: () => output, until, exited };
}
