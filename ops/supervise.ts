import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ReadyDetails, ReadyMessage } from '../shared/platform/config/supervised.ts';
import type { Logger } from '../shared/platform/logger.ts';

export interface ProcessSpec {
  readonly name: string;
  /** Relative to the project, without its extension: `api/main`. */
  readonly module: string;
  /** Options of `node` in addition to those of the supervisor. */
  readonly nodeOptions?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export interface SuperviseOptions {
  readonly logger: Logger;
  /** The file for the output of the process. Default: the output of the supervisor. */
  readonly outputFd?: number;
  /** Called at every start and end, so that a later supervisor can find processes that this one left behind. */
  readonly onPids: (pid: number, isRunning: boolean) => void;
}

export interface Supervised {
  /** Resolves when the process is ready for the first time; rejects when it ends before that. */
  readonly ready: Promise<ReadyDetails>;
  /** SIGTERM, then SIGKILL after `withinMs`. No restart follows. */
  stop(withinMs: number): Promise<void>;
}

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 30_000;
/** After a run of this length, the next restart uses the shortest pause again. */
const STABLE_MS = 60_000;

/** Runs a process and restarts it when it ends unexpectedly, after growing pauses. */
export function supervise(
  spec: ProcessSpec,
  { logger, outputFd, onPids }: SuperviseOptions,
): Supervised {
  let child: ChildProcess;
  let ended: Promise<void>;
  let isStopping = false;
  let wasReady = false;
  let backoffMs = BACKOFF_MS_MIN;
  let restart: NodeJS.Timeout | undefined;
  const { promise: ready, resolve: markReady, reject: markFailed } = withResolvers<ReadyDetails>();
  start();

  return {
    ready,
    stop: async (withinMs) => {
      isStopping = true;
      clearTimeout(restart);
      child.kill('SIGTERM');
      const killer = setTimeout(() => {
        logger.error(
          { process: spec.name, withinMs },
          'process did not stop in time and will be killed',
        );
        child.kill('SIGKILL');
      }, withinMs);
      await ended;
      clearTimeout(killer);
    },
  };

  function start(): void {
    const startedMs = performance.now();
    const output = outputFd ?? 'inherit';
    child = fork(modulePath(spec.module), [], {
      execArgv: [...process.execArgv, ...(spec.nodeOptions ?? [])],
      env: { ...spec.environment, SUPERVISED: '1' },
      stdio: ['ignore', output, outputFd ?? 'inherit', 'ipc'],
    });
    const { pid } = child;
    if (pid !== undefined) onPids(pid, true);
    child.on('message', (message) => {
      const parsed = ReadyMessage.safeParse(message);
      if (!parsed.success) return;
      wasReady = true;
      logger.info({ process: spec.name, pid, ...parsed.data.ready }, 'process is ready');
      markReady(parsed.data.ready);
    });
    ended = new Promise((done) => {
      child.once('error', (err) => {
        logger.error({ process: spec.name, err }, 'process could not be started');
        onEnd('not started');
        done();
      });
      child.once('exit', (code, signal) => {
        if (pid !== undefined) onPids(pid, false);
        onEnd(signal ?? `code ${code}`);
        done();
      });
    });

    function onEnd(how: string): void {
      if (isStopping) {
        logger.info({ process: spec.name, how }, 'process stopped');
        return;
      }
      if (!wasReady) {
        isStopping = true;
        markFailed(new Error(`${spec.name} ended before it was ready (${how}); see its log above`));
        return;
      }
      if (performance.now() - startedMs > STABLE_MS) backoffMs = BACKOFF_MS_MIN;
      logger.error(
        { process: spec.name, how, restartInMs: backoffMs },
        'process ended unexpectedly and will be restarted',
      );
      restart = setTimeout(start, backoffMs);
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX);
    }
  }
}

/** The source file when this runs from the sources, the built file when it runs from dist/. */
function modulePath(module: string): string {
  const here = fileURLToPath(import.meta.url);
  return join(here, '..', '..', `${module}${here.endsWith('.ts') ? '.ts' : '.js'}`);
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
