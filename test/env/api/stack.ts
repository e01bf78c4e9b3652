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
  /** Workers to start with; 1 when left out. */
  readonly workers?: number;
}

/** An API with its workers in this process: the whole path from a signed request to a registered record. */
export interface Stack extends TestApi {
  /** Starts another worker and hands it out; `stop` ends it too. */
  addWorker(): Promise<RunningWorker>;
  /** Ends all workers, those in hand finished. */
  stopWorkers(): Promise<void>;
  /** POSTs a body to a path below API_BASE as a demonstration client; throws when the answer breaks the OpenAPI document. */
  post(client: string, path: string, body: object, prefer?: string): Promise<TestAnswer>;
  /** Transmits as a demonstration client and hands out the acknowledgment, of a rejection too. */
  transmit(client: string, body: object, prefer?: string): Promise<Transmitted>;
  /** The acknowledgment of the transmission under an external id, as soon as it is terminal; the database is asked. */
  untilTerminal(externalTransactionId: string): Promise<Acknowledgment>;
  /** Resolves when the processing of so many transmissions has failed for a fault of ours. */
  untilFailed(transmissions: number): Promise<void>;
  /** Like `post`. */
  get(client: string, path: string, prefer?: string): Promise<TestAnswer>;
}

export interface Transmitted {
  readonly status: number;
  readonly errorCode: string | undefined;
  /** All findings of all levels: of a rejection the error's, else the warnings. */
  readonly findings: readonly Finding[];
  readonly acknowledgment: Acknowledgment;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { workers: workersAtFirst = 1, ...apiOptions } = options;
  const { clock = systemClock, logger = makeFailureLog() } = apiOptions;
  const api = await startTestApi({ ...apiOptions, handlers: HANDLERS, clock, logger });
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
  for (let started = 0; started < workersAtFirst; started += 1) await addWorker();
  const preferring = (prefer: string | undefined) =>
    prefer === undefined ? {} : { headers: { prefer } };
  const post: Stack['post'] = async (client, path, body, prefer) =>
    requireConforming(
      'POST',
      path,
      await api.send(client, { method: 'POST', path, body, ...preferring(prefer) }),
    );
  return {
    ...api,
    addWorker,
    stopWorkers,
    post,
    get: async (client, path, prefer) =>
      requireConforming('GET', path, await api.send(client, { path, ...preferring(prefer) })),
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
    stop: async () => {
      await stopWorkers();
      await api.stop();
    },
  };
}

function requireConforming(method: string, path: string, answer: TestAnswer): TestAnswer {
  const { status, headers, envelope } = answer;
  const flaws = checkAnswer({
    method,
    path: `${API_BASE}${path}`,
    status,
    headers,
    body: envelope,
  });
  if (flaws.length > 0) throw new Error(flaws.join('\n'));
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
