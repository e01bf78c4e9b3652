import type { Logger } from './logger.ts';
import { PROBE_MS_MAX, withTimeout } from './with-timeout.ts';

/** Resolves with `OK` or with the problem; rejects when the part does not answer. */
export type Check = () => Promise<string>;

export interface Readiness {
  readonly ready: boolean;
  /** The state of each part: `ok` or the problem. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface ReadinessOptions {
  /** Parts that the process needs for its own work. */
  readonly required: Readonly<Record<string, Check>>;
  /** Parts that it can work without for a while. They are shown and never make the process unready. */
  readonly reported?: Readonly<Record<string, Check>>;
  /** Once true, the process is not ready, whatever the checks say. */
  readonly isEnding: () => boolean;
  readonly logger: Logger;
}

export const OK = 'ok';
/** Callers within this time share one result. */
const CHECK_INTERVAL_MS = 1_000;

/** Whether a process can do its own work (D60). Never rejects, and answers within PROBE_MS_MAX. */
export function makeReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  let latest: { readonly at: number; readonly result: Promise<Readiness> } | undefined;
  return async () => {
    if (options.isEnding()) return { ready: false, checks: { process: 'shutting down' } };
    if (latest === undefined || performance.now() - latest.at > CHECK_INTERVAL_MS) {
      latest = { at: performance.now(), result: runChecks(options) };
    }
    return latest.result;
  };
}

async function runChecks({
  required,
  reported = {},
  logger,
}: ReadinessOptions): Promise<Readiness> {
  const run = async ([part, check]: [string, Check]): Promise<readonly [string, string]> => {
    try {
      return [part, await withTimeout(PROBE_MS_MAX, check())];
    } catch (err) {
      logger.warn({ err, part }, 'readiness check failed');
      return [part, 'out of reach'];
    }
  };
  const [needed, others] = await Promise.all([
    Promise.all(Object.entries(required).map(run)),
    Promise.all(Object.entries(reported).map(run)),
  ]);
  return {
    ready: needed.every(([, result]) => result === OK),
    checks: Object.fromEntries([...needed, ...others]),
  };
}
