import { HANDLERS } from '../../../api/machine/table.ts';
import type { Finding } from '../../../shared/contract/findings.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { type RunningWorker, startWorker } from '../../../worker/worker.ts';
import { checkAnswer } from '../../pure/contract/answer-matcher.ts';
import { makeFailureLog } from '../failure-log.ts';
import { untilSeen } from '../server-timeouts.ts';
import { startTestApi, type TestApi, type TestApiOptions } from './api-env.ts';
import type { TestAnswer } from './signed-request.ts';

export interface StackOptions extends Partial<Omit<TestApiOptions, 'handlers'>> {
  /** Initial number of workers. Default: 1. */
  readonly workers?: number;
}

/** The value of `Prefer`, or several headers. */
type PreferOrHeaders = string | Readonly<Record<string, string>>;

/** An API and its workers in this process, for the whole path from a signed request to a registered record. */
export interface Stack extends TestApi {
  /** Starts another worker; `stop` also ends it. */
  addWorker(): Promise<RunningWorker>;
  /** Stops all workers after they have finished the transmissions in flight. */
  stopWorkers(): Promise<void>;
  /** POSTs a body to a path below API_BASE as a demonstration client; throws when the answer breaks the OpenAPI document. */
  post(client: string, path: string, body: object, prefer?: PreferOrHeaders): Promise<TestAnswer>;
  /** Transmits as a demonstration client and returns the acknowledgment, also of a rejection. */
  transmit(client: string, body: object, prefer?: string): Promise<Transmitted>;
  /** Polls the database until a transmission is terminal, and returns its acknowledgment. */
  untilTerminal(externalTransactionId: string): Promise<Acknowledgment>;
  /** Resolves when the processing of this many transmissions has failed because of a service fault. */
  untilFailed(transmissions: number): Promise<void>;
  /**
   * Counts the deadlocks of commits. The statistics of the database would also count those of BullMQ's own tables (ADR 14).
   */
  countDeadlocks(): Promise<number>;
  /** Like `post`. */
  get(client: string, path: string, prefer?: PreferOrHeaders): Promise<TestAnswer>;
}

export interface Transmitted {
  readonly status: number;
  readonly errorCode: string | undefined;
  /** The findings of all levels: the details of a rejection, otherwise the warnings. */
  readonly findings: readonly Finding[];
  readonly acknowledgment: Acknowledgment;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { workers: initialWorkers = 1, ...apiOptions } = options;
  const { clock = systemClock, logger = makeFailureLog() } = apiOptions;
  const api = await startTestApi({ ...apiOptions, handlers: HANDLERS, clock, logger });
  let workers: RunningWorker[] = [];
  const allWorkers: RunningWorker[] = [];
  const addWorker = async (): Promise<RunningWorker> => {
    const worker = await startWorker({ config: api.config, clock, logger, metrics: makeMetrics() });
    workers.push(worker);
    allWorkers.push(worker);
    return worker;
  };
  const stopWorkers = async (): Promise<void> => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.close()));
  };
  for (let started = 0; started < initialWorkers; started += 1) await addWorker();
  const preferHeader = (prefer: PreferOrHeaders | undefined) =>
    prefer === undefined ? {} : { headers: typeof prefer === 'string' ? { prefer } : prefer };
  const post: Stack['post'] = async (client, path, body, prefer) =>
    requireConforming(
      'POST',
      path,
      await api.send(client, { method: 'POST', path, body, ...preferHeader(prefer) }),
    );
  return {
    ...api,
    addWorker,
    stopWorkers,
    post,
    get: async (client, path, prefer) =>
      requireConforming('GET', path, await api.send(client, { path, ...preferHeader(prefer) })),
    transmit: async (client, body, prefer) => {
      const { status, envelope } = await post(client, '/ppai/policies', body, prefer);
      const acknowledgment = envelope.data as unknown as Acknowledgment;
      return {
        status,
        errorCode: envelope.error?.code,
        findings: envelope.error?.details ?? acknowledgment.warnings,
        acknowledgment,
      };
    },
    untilTerminal: (externalTransactionId) => untilTerminal(api, externalTransactionId),
    untilFailed: (transmissions) => untilFailed(api, transmissions),
    countDeadlocks: async () => sum(await Promise.all(allWorkers.map(deadlocksOf))),
    stop: async () => {
      await stopWorkers();
      await api.stop();
    },
  };
}

async function deadlocksOf({ context }: RunningWorker): Promise<number> {
  const { values } = await context.metrics.commitConflicts.get();
  return sum(
    values.filter(({ labels }) => labels['reason'] === 'deadlock').map(({ value }) => value),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function requireConforming(method: string, path: string, answer: TestAnswer): TestAnswer {
  const { status, headers, envelope } = answer;
  const problems = checkAnswer({
    method,
    path: `${API_BASE}${path}`,
    status,
    headers,
    body: envelope,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return answer;
}

async function untilTerminal(
  { api }: TestApi,
  externalTransactionId: string,
): Promise<Acknowledgment> {
  const row = await untilSeen(
    () =>
      api.context.db.transmission.findFirst({
        where: { externalTransactionId },
        select: { acknowledgment: true, status: true, lastError: true },
      }),
    (seen) => seen !== null && seen.acknowledgment !== null,
  );
  if (row === null || row.acknowledgment === null)
    throw new Error(`${externalTransactionId} is ${row?.status}, last error ${row?.lastError}`);
  return row.acknowledgment as unknown as Acknowledgment;
}

async function untilFailed({ api }: TestApi, transmissions: number): Promise<void> {
  const failed = await untilSeen(
    () => api.context.db.transmission.count({ where: { failures: { gt: 0 } } }),
    (seen) => seen >= transmissions,
  );
  if (failed < transmissions) throw new Error(`${failed} of ${transmissions} have failed`);
}
