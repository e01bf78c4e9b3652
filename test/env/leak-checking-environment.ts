import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

const SETTLE_MS_MAX = 2_000;
const LOOK_EVERY_MS = 20;
/** Lines shown of one test. */
const LOGGED_MAX = 5;

interface RunnerEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
  readonly error?: unknown;
}

/** Fails a test file that leaves a timer, server or connection behind: what keeps the process alive must be what kept it alive before. */
export default class LeakCheckingEnvironment extends TestEnvironment {
  private before = new Map<string, number>();

  override async setup(): Promise<void> {
    await super.setup();
    this.before = countResources();
    this.global.failureLog = [];
  }

  /** Beside a failed test or hook stand the errors that the services logged meanwhile. */
  handleTestEvent({ name, test, error }: RunnerEvent): void {
    if (name === 'hook_failure') {
      // What it has left open would be all that is told of it.
      process.stderr.write(`a hook failed: ${inspect(error)}\n`);
      tellLogged('a hook', this.takeLogged());
    }
    if (name !== 'test_done' || test === undefined) return;
    const logged = this.takeLogged();
    if (test.errors.length > 0) tellLogged(`"${test.name}"`, logged);
  }

  private takeLogged(): readonly string[] {
    return this.global.failureLog?.splice(0) ?? [];
  }

  override async teardown(): Promise<void> {
    const left = await this.leftOpen();
    await super.teardown();
    if (left.length > 0) throw new Error(`left open after the last test: ${left.join(', ')}`);
  }

  /** Sockets need a moment to close, so it looks again for a while. */
  private async leftOpen(): Promise<string[]> {
    const lastPauseAt = Date.now() + SETTLE_MS_MAX - LOOK_EVERY_MS;
    for (let isLast = false; ; ) {
      // Counted before the pause, whose own timer would be counted too.
      const left = [...countResources()].filter(
        ([name, count]) => count > (this.before.get(name) ?? 0),
      );
      if (left.length === 0) return [];
      if (isLast)
        return [
          ...left.map(([name, count]) => `${count - (this.before.get(name) ?? 0)} × ${name}`),
          ...openSockets(),
        ];
      // Decided before the pause: on a machine that stood still, sockets that have closed are heard of in one more.
      isLast = Date.now() >= lastPauseAt;
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }
}

function tellLogged(during: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, LOGGED_MAX))
    process.stderr.write(`logged during ${during}: ${line}`);
}

/** Whose they are can be told by the port at the other end; what was open before is among them. */
function openSockets(): string[] {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => unknown[] };
  return (handles?.call(process) ?? []).flatMap((handle) =>
    handle instanceof Socket && handle.remotePort !== undefined
      ? [`a socket ${handle.readyState} from ${handle.localPort} to ${handle.remotePort}`]
      : [],
  );
}

/** Work that ends by itself (file reads, look-ups, one-shot callbacks) is not counted. */
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
