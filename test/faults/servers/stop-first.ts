import { HOLD_MS_MAX, type Hold, type Point } from '../wire/watched-proxy.ts';
import type { RegistryProcess, Role } from './processes.ts';

/** Called for every process that starts. */
export type Watcher = (started: RegistryProcess) => void;

export interface Stopped {
  readonly victim: RegistryProcess;
  readonly hold: Hold;
}

/** Stops the first process of a role that reaches the point. Processes that start meanwhile are also watched; only one is stopped. */
export async function stopFirst(
  watchers: Set<Watcher>,
  present: readonly RegistryProcess[],
  role: Role,
  point: Point,
  given?: AbortSignal,
): Promise<Stopped> {
  const over = new AbortController();
  const signal = given === undefined ? over.signal : AbortSignal.any([given, over.signal]);
  let resolve: (stopped: Stopped) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const first = new Promise<Stopped>((onFirst, onNone) => {
    [resolve, reject] = [onFirst, onNone];
  });
  const watch: Watcher = (victim) => {
    if (victim.role !== role) return;
    const proxies = victim.redis === undefined ? [] : [victim.redis];
    for (const proxy of [victim.database, ...proxies]) {
      void proxy.hold(point, signal).then((hold) => {
        if (hold === undefined) return;
        if (over.signal.aborted) {
          hold.release();
          return;
        }
        resolve({ victim, hold });
        over.abort();
      });
    }
  };
  const giveUp = (): void => {
    const { statement, moment, about = 'any transmission' } = point;
    reject(new Error(`no ${role} reached the point ${moment} ${statement} about ${about}`));
  };
  const timer = setTimeout(giveUp, HOLD_MS_MAX);
  signal.addEventListener('abort', giveUp);
  watchers.add(watch);
  for (const one of present) watch(one);
  try {
    return await first;
  } finally {
    clearTimeout(timer);
    watchers.delete(watch);
    over.abort();
  }
}
