import type { Logger } from './logger.ts';
import { PROBE_MS_MAX, withTimeout } from './with-timeout.ts';

/** Resolves with `OK`, or with what is wrong; rejects when the part does not answer. */
export type Check = () => Promise<string>;

export interface Readiness {
  readonly ready: boolean;
  /** What is wrong, by part; `ok` where nothing is. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface ReadinessOptions {
  /** What the process cannot do its own part without. */
  readonly required: Readonly<Record<string, Check>>;
  /** What it can do without for a while; shown, and never a reason not to be ready. */
  readonly reported?: Readonly<Record<string, Check>>;
  /** From then on it is not ready, whatever works. */
  readonly isEnding: () => boolean;
  readonly logger: Logger;
}

export const OK = 'ok';
/** Many callers share one look. */
const LOOK_AGAIN_MS = 1_000;

/** Whether a process can do its own part (D60). Never rejects, and answers within PROBE_MS_MAX. */
export function makeReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  let latest: { readonly at: number; readonly result: Promise<Readiness> } | undefined;
  return async () => {
    if (options.isEnding()) return { ready: false, checks: { process: 'was told to end' } };
    if (latest === undefined || performance.now() - latest.at > LOOK_AGAIN_MS) {
      latest = { at: performance.now(), result: look(options) };
    }
    return latest.result;
  };
}

async function look({ required, reported = {}, logger }: ReadinessOptions): Promise<Readiness> {
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
