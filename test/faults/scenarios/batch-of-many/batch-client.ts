import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';
import { clientEnvironment } from '../../../env/client-environment.ts';
import type { Credentials } from '../../world.ts';

/** The command line as an integrator runs it: a process of its own, from the compiled client. */
export interface BatchClient {
  /** `batch send` until it ends or is killed. */
  send(): SendingClient;
  /** Another command about the batch. Resolves to its standard output; throws when it does not exit with 0. */
  run(...args: readonly string[]): Promise<string>;
  /** The highest memory of any `send`; undefined where the system does not say. */
  readonly peakMegabytes: number | undefined;
}

export interface SendingClient {
  readonly isRunning: boolean;
  /** The exit code; null when it was killed. */
  readonly ended: Promise<number | null>;
  kill(): Promise<void>;
}

export interface BatchClientSpec {
  /** The compiled `client/main`. */
  readonly program: string;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly sendArguments: readonly string[];
  /** Gets the messages of all runs. */
  readonly outputFile: string;
}

const SAMPLE_INTERVAL_MS = 200;
const ENDED_MS_MAX = 60_000;

export function makeBatchClient(spec: BatchClientSpec): BatchClient {
  const options = {
    cwd: findProjectRoot(),
    env: {
      PATH: process.env['PATH'],
      // docs/batch.md; with a maximum of the heap Node frees memory earlier.
      NODE_OPTIONS: '--max-old-space-size=1024',
      ...clientEnvironment(spec.baseUrl, spec.credentials),
    },
  };
  let peakMegabytes: number | undefined;
  return {
    get peakMegabytes() {
      return peakMegabytes;
    },
    send: () => {
      const output = openSync(spec.outputFile, 'a');
      const child = spawn(
        process.execPath,
        [spec.program, 'batch', 'send', ...spec.sendArguments],
        { ...options, stdio: ['ignore', 'ignore', output] },
      );
      closeSync(output);
      let isRunning = true;
      const sampling = setInterval(() => {
        const megabytes = readPeakMegabytes(child.pid);
        if (megabytes !== undefined) peakMegabytes = Math.max(peakMegabytes ?? 0, megabytes);
      }, SAMPLE_INTERVAL_MS);
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code) => resolve(code));
      }).finally(() => {
        isRunning = false;
        clearInterval(sampling);
      });
      // It is awaited when the kills are over.
      ended.catch(() => undefined);
      return {
        get isRunning() {
          return isRunning;
        },
        ended,
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    run: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [spec.program, 'batch', ...args], {
          ...options,
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: ENDED_MS_MAX,
        });
        let [data, messages] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          data += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          messages += text;
        });
        child.on('error', reject);
        child.on('close', (code) => {
          if (code === 0) resolve(data);
          else reject(new Error(`batch ${args.join(' ')} exited with ${code}: ${messages}`));
        });
      }),
  };
}

/** The highest resident memory of the process so far. */
function readPeakMegabytes(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    // It ended in between.
    return undefined;
  }
}
