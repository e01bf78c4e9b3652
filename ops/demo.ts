import { existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readClientFile } from '../client/cli/credentials.ts';
import { makeProgress } from '../client/cli/progress.ts';
import { makeRegistryClient, type RegistryClient } from '../client/registry-client.ts';
import type { TransportOptions } from '../client/transport.ts';
import { calendarDate } from '../shared/platform/clock.ts';
import { type Config, ConfigError, type ServiceConfig } from '../shared/platform/config/config.ts';
import { type Lifecycle, makeLifecycle } from '../shared/platform/lifecycle.ts';
import { type Logger, makeLogger } from '../shared/platform/logger.ts';
import { claimRun } from './demo/claim-run.ts';
import { findRunning, nextSteps } from './demo/next-steps.ts';
import { describeDifferences, outcomeTable } from './demo/outcome-table.ts';
import { PAST_DAYS } from './demo/past/plan-bursts.ts';
import { writePast } from './demo/past/write-past.ts';
import { type ItemOutcome, transmitBatch } from './demo/transmit-batch.ts';
import { DEMO_CLIENTS_FILE } from './seed.ts';
import { readSystemConfig, startSystem } from './system.ts';

const LOG_FILE = 'demo.log';
/** Transmissions in flight per client: five clients keep every worker busy. */
const CONCURRENCY = 8;

/** npm run demo: starts the registry, transmits the sample batch through its API, shows the outcomes, and runs until Ctrl-C. */
async function demonstrate(mayStay: boolean): Promise<void> {
  const config = readSystemConfig(process.env);
  mkdirSync(config.dataDir, { recursive: true });
  const logFile = join(resolve(config.dataDir), LOG_FILE);
  const logFd = openSync(logFile, 'a');
  const logger = makeLogger({
    level: config.logLevel,
    name: 'demo',
    destination: { write: (line) => writeSync(logFd, line) },
  });
  const lifecycle = makeLifecycle({
    logger,
    graceSeconds: config.drainSeconds + config.shutdownGraceSeconds,
    supervised: false,
  });
  try {
    const probe = readClients(config, urlOf(config), { retries: 0 })?.get('alpha');
    const running = await findRunning(urlOf(config), probe);
    const url = running ?? (await start(logger, lifecycle, logFd, logFile));
    const results = await showBatch(config, url);
    const differences = describeDifferences(results);
    const isAsExpected = differences.length === 0;
    if (!isAsExpected) print(explainDifferences(differences));
    if (isAsExpected && (mayStay || running !== undefined)) {
      print(`\n${nextSteps(url, clientsFileOf(config), results).join('\n')}`);
    }
    const stays = isAsExpected && mayStay && running === undefined;
    if (stays) print('\nThe registry keeps running. Ctrl-C stops it.\n');
    else await lifecycle.shutdown('the demonstration has ended', isAsExpected ? 0 : 1);
  } catch (error) {
    if (lifecycle.isShuttingDown) return;
    print(`\n${error instanceof Error ? error.message : String(error)}\nThe log is ${logFile}\n`);
    logger.error({ err: error }, 'demonstration failed');
    await lifecycle.shutdown('the demonstration failed', 1);
  }
}

async function start(
  logger: Logger,
  lifecycle: Lifecycle,
  logFd: number,
  logFile: string,
): Promise<string> {
  print(`Starting the database, the API and the workers. Their log is ${logFile}`);
  const { url } = await startSystem({
    environment: process.env,
    logger,
    lifecycle,
    outputFd: logFd,
    beforeServing: (config) => fillEmpty(config, logger),
  });
  return url;
}

/** Gives an empty registry some weeks of history, so that the console has something to show. */
async function fillEmpty(config: ServiceConfig, logger: Logger): Promise<void> {
  const startedMs = performance.now();
  const count = await writePast({
    config,
    logger,
    onBegin: () =>
      print(`Writing the history of the last ${PAST_DAYS} days into the empty registry.`),
  });
  if (count !== undefined) print(`${count} earlier transmissions in ${secondsSince(startedMs)} s.`);
}

async function showBatch(config: Config, url: string): Promise<readonly ItemOutcome[]> {
  const clients = readClients(config, url);
  const alpha = clients?.get('alpha');
  if (clients === undefined || alpha === undefined) {
    throw new Error('There is no demonstration data in this database: add it with "npm run seed".');
  }
  const today = calendarDate(new Date(), config.registryTimeZone);
  const startedMs = performance.now();
  const { run, first, items } = await claimRun(alpha, today);
  const total = items.length + 1;
  print(
    `The registry is up at ${url}. Run ${run.number}: ${total} transmissions, signed, over HTTP.`,
  );
  const progress = makeProgress(total, process.stdout, print);
  progress.advance(first.item.kind);
  const rest = await transmitBatch(items, {
    clients,
    concurrency: CONCURRENCY,
    onOutcome: ({ item }) => progress.advance(item.kind),
  }).finally(() => progress.stop());
  const seconds = secondsSince(startedMs);
  const results = [first, ...inOrder(rest, items)];
  print(`\n${outcomeTable(results)}\n`);
  print(`${total} transmissions in ${seconds} s.`);
  return results;
}

function explainDifferences(differences: readonly string[]): string {
  return [
    '\nSome outcomes differ from the expected ones:',
    ...differences,
    'If this database already has vehicles of the batch from another source, try an empty DATA_DIR.',
  ].join('\n');
}

/** Sorts outcomes, which are in the order of arrival, into the order of the batch. */
function inOrder(
  results: readonly ItemOutcome[],
  items: readonly ItemOutcome['item'][],
): ItemOutcome[] {
  const positions = new Map(items.map((item, index) => [item, index]));
  return results.toSorted(
    (one, other) => (positions.get(one.item) ?? 0) - (positions.get(other.item) ?? 0),
  );
}

/** Undefined when this DATA_DIR has no demonstration clients yet. */
function readClients(
  config: Config,
  baseUrl: string,
  options: TransportOptions = {},
): ReadonlyMap<string, RegistryClient> | undefined {
  const file = clientsFileOf(config);
  if (!existsSync(file)) return undefined;
  return new Map(
    readClientFile(file).map((client) => [
      client.name,
      makeRegistryClient({ ...client, ...options, baseUrl }),
    ]),
  );
}

function clientsFileOf(config: Config): string {
  return join(config.dataDir, DEMO_CLIENTS_FILE);
}

function urlOf({ host, port }: Config): string {
  return `http://${host}:${port}`;
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1_000).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Undefined for unknown arguments. */
function readArguments(): { readonly exit: boolean } | undefined {
  try {
    return parseArgs({ options: { exit: { type: 'boolean', default: false } } }).values;
  } catch {
    return undefined;
  }
}

const values = readArguments();
if (values === undefined) {
  print('Usage: npm run demo [-- --exit]   --exit stops the registry after the table');
  process.exitCode = 2;
} else {
  try {
    await demonstrate(!values.exit);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}
