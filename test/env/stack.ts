import { HANDLERS } from '../../api/handlers/table.ts';
import type { Acknowledgment } from '../../shared/contract/acknowledgment.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { type Logger, makeLogger } from '../../shared/platform/logger.ts';
import { makeMetrics } from '../../shared/platform/metrics.ts';
import { type RunningWorker, startWorker } from '../../worker/start-worker.ts';
import { startTestApi, type TestAnswer, type TestApi } from './api-env.ts';

export interface StackOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly environment?: NodeJS.ProcessEnv;
  /** Workers to start with; 1 when left out. */
  readonly workers?: number;
}

/** An API with its workers in this process: the whole path from a signed request to a registered record. */
export interface Stack extends TestApi {
  /** Starts another worker and hands it out; `stop` ends it too. */
  addWorker(): Promise<RunningWorker>;
  /** Ends all workers, those in hand finished. */
  stopWorkers(): Promise<void>;
  /** POSTs a body to a path below API_BASE as a demonstration client. */
  post(client: string, path: string, body: object, prefer?: string): Promise<TestAnswer>;
  /** Transmits as a demonstration client and hands out the acknowledgment, of a rejection too. */
  transmit(client: string, body: object): Promise<Transmitted>;
  get(client: string, path: string, prefer?: string): Promise<TestAnswer>;
}

export interface Transmitted {
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly acknowledgment: Acknowledgment;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? makeLogger({ level: 'silent', name: 'test' });
  const api = await startTestApi({
    handlers: HANDLERS,
    clock,
    logger,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  });
  let workers: RunningWorker[] = [];
  const addWorker = async (): Promise<RunningWorker> => {
    const worker = await startWorker({ config: api.config, clock, logger, metrics: makeMetrics() });
    workers.push(worker);
    return worker;
  };
  const stopWorkers = async (): Promise<void> => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.close()));
  };
  for (let started = 0; started < (options.workers ?? 1); started += 1) await addWorker();
  const preferring = (prefer: string | undefined) =>
    prefer === undefined ? {} : { headers: { prefer } };
  const post: Stack['post'] = (client, path, body, prefer) =>
    api.send(client, { method: 'POST', path, body, ...preferring(prefer) });
  return {
    ...api,
    addWorker,
    stopWorkers,
    post,
    get: (client, path, prefer) => api.send(client, { path, ...preferring(prefer) }),
    transmit: async (client, body) => {
      const answer = await post(client, '/ppai/policies', body);
      return {
        status: answer.status,
        errorCode: answer.envelope.error?.code,
        acknowledgment: answer.envelope.data as unknown as Acknowledgment,
      };
    },
    stop: async () => {
      await stopWorkers();
      await api.stop();
    },
  };
}
