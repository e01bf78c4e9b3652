import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface LifecycleOptions {
  readonly logger: Logger;
  readonly graceSeconds: number;
  /** How long the process keeps serving after SIGTERM. Default: 0. `graceSeconds` begins afterwards. */
  readonly drainSeconds?: number;
  /** A supervised process ignores Ctrl-C, which its supervisor handles, and ends when its supervisor is gone. */
  readonly supervised: boolean;
  readonly process?: LifecycleProcess;
}

/** The part of `process` that is used. Tests pass their own. */
export interface LifecycleProcess {
  on(event: string, listener: () => void): unknown;
  exit(code: number): void;
}

export interface Lifecycle {
  /** Called when shutdown begins, before anything is closed. A process that registers none does not drain. */
  onEnding(begin: () => void): void;
  /** Steps run in reverse order of registration: the last opened is closed first. */
  onShutdown(name: string, step: () => Promise<void> | void): void;
  /** Runs every step once, however often it is called. A failing step is logged and the next one runs. Ends the process with `exitCode` (default 0), or with 1 when a step failed or the deadline passed. */
  shutdown(reason: string, exitCode?: number): Promise<void>;
  readonly isShuttingDown: boolean;
}

const EXIT_INTERRUPTED = 130;
/** npm forwards a Ctrl-C that the terminal has already sent, so signals this close together count as one. */
const SAME_SIGNAL_MS = 1_000;

/** SIGTERM and SIGINT drain in order within the deadline; a second signal ends the process at once. */
export function makeLifecycle({
  logger,
  graceSeconds,
  drainSeconds = 0,
  supervised,
  process: host = process,
}: LifecycleOptions): Lifecycle {
  const steps: { readonly name: string; readonly step: () => Promise<void> | void }[] = [];
  const beginnings: (() => void)[] = [];
  let ending: Promise<void> | undefined;
  let firstSignalMs = 0;

  host.on('SIGTERM', () => onSignal('SIGTERM'));
  host.on('SIGINT', () => {
    if (!supervised) onSignal('SIGINT');
  });
  if (supervised) host.on('disconnect', () => void shutdown('supervisor is gone'));

  return {
    onEnding: (begin) => {
      beginnings.push(begin);
    },
    onShutdown: (name, step) => {
      steps.push({ name, step });
    },
    shutdown,
    get isShuttingDown() {
      return ending !== undefined;
    },
  };

  function onSignal(name: string): void {
    const nowMs = performance.now();
    if (firstSignalMs === 0) firstSignalMs = nowMs;
    if (ending === undefined) {
      void shutdown(name);
      return;
    }
    if (nowMs - firstSignalMs < SAME_SIGNAL_MS) return;
    logger.warn({ signal: name }, 'second signal: ending at once');
    host.exit(EXIT_INTERRUPTED);
  }

  function shutdown(reason: string, exitCode = 0): Promise<void> {
    ending ??= drain(reason, exitCode);
    return ending;
  }

  async function drain(reason: string, exitCode: number): Promise<void> {
    logger.info({ reason }, 'shutting down');
    for (const begin of beginnings) begin();
    // After Ctrl-C or the loss of the supervisor no load balancer needs time to notice.
    if (reason === 'SIGTERM' && beginnings.length > 0) await sleep(drainSeconds * 1_000);
    let current = '';
    const deadline = setTimeout(() => {
      logger.error({ step: current, graceSeconds }, 'shutdown took too long: ending at once');
      host.exit(1);
    }, graceSeconds * 1_000);
    let code = exitCode;
    for (const { name, step } of steps.toReversed()) {
      current = name;
      try {
        await step();
        logger.debug({ step: name }, 'shutdown step done');
      } catch (err) {
        code = 1;
        logger.error({ step: name, err }, 'shutdown step failed');
      }
    }
    clearTimeout(deadline);
    logger.info('shut down');
    host.exit(code);
  }
}
