import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

const SETTLE_MS_MAX = 2_000;
const POLL_INTERVAL_MS = 20;
/** Maximum number of log lines that are printed for a test. */
const LOGGED_MAX = 5;

interface RunnerEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
  readonly error?: unknown;
}

/** Fails a test file that leaves a timer, server or connection open. */
export default class LeakCheckingEnvironment extends TestEnvironment {
  private before = new Map<string, number>();

  override async setup(): Promise<void> {
    await super.setup();
    this.before = countResources();
    this.global.failureLog = [];
  }

  /** After a failed test or hook, prints the errors that the services logged. */
  handleTestEvent({ name, test, error }: RunnerEvent): void {
    if (name === 'hook_failure') {
      // Otherwise Jest would only report the resources that the hook left open.
      process.stderr.write(`a hook failed: ${inspect(error)}\n`);
      printLog('a hook', this.takeLog());
    }
    if (name !== 'test_done' || test === undefined) return;
    const log = this.takeLog();
    if (test.errors.length > 0) printLog(`"${test.name}"`, log);
  }

  private takeLog(): readonly string[] {
    return this.global.failureLog?.splice(0) ?? [];
  }

  override async teardown(): Promise<void> {
    const left = await this.findOpenResources();
    await super.teardown();
    if (left.length > 0) throw new Error(`left open after the last test: ${left.join(', ')}`);
  }

  /** Polls for a while, because sockets need a moment to close. */
  private async findOpenResources(): Promise<string[]> {
    const lastPauseAt = Date.now() + SETTLE_MS_MAX - POLL_INTERVAL_MS;
    for (let isLast = false; ; ) {
      // Counted before the pause, because its timer would also be counted.
      const left = [...countResources()].filter(
        ([name, count]) => count > (this.before.get(name) ?? 0),
      );
      if (left.length === 0) return [];
      if (isLast)
        return [
          ...left.map(([name, count]) => `${count - (this.before.get(name) ?? 0)} × ${name}`),
          ...openSockets(),
        ];
      // Decided before the pause: after a pause of the whole machine, the events of closed sockets need one more round.
      isLast = Date.now() >= lastPauseAt;
      await new Promise((done) => setTimeout(done, POLL_INTERVAL_MS));
    }
  }
}

function printLog(during: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, LOGGED_MAX))
    process.stderr.write(`logged during ${during}: ${line}`);
}

/** The remote port identifies the server of a socket. Sockets that were open before are included. */
function openSockets(): string[] {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => unknown[] };
  return (handles?.call(process) ?? []).flatMap((handle) =>
    handle instanceof Socket && handle.remotePort !== undefined
      ? [`a socket ${handle.readyState} from ${handle.localPort} to ${handle.remotePort}`]
      : [],
  );
}

/** Resources that end only when they are closed. File reads, look-ups and one-shot callbacks are not counted. */
const LASTING = new Set([
  'Timeout',
  'TCPSocketWrap',
  'TCPServerWrap',
  'TLSWrap',
  'PipeWrap',
  'PipeServerWrap',
  'ProcessWrap',
  'MessagePort',
  'Worker',
  'UDPWrap',
  'FSEventWrap',
  'StatWatcher',
]);

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (LASTING.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
