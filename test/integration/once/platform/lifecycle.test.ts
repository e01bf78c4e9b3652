import { EventEmitter } from 'node:events';
import { makeLifecycle } from '../../../../shared/platform/lifecycle.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';

function makeGate() {
  let finish: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    finish = done;
  });
  return { promise, finish };
}

function makeHost() {
  const events = new EventEmitter();
  const codes: number[] = [];
  const { promise: exited, finish: onExit } = makeGate();
  return {
    codes,
    exited,
    emit: (event: string) => events.emit(event),
    on: (event: string, listener: () => void) => events.on(event, listener),
    exit: (code: number) => {
      codes.push(code);
      onExit();
    },
  };
}

function make({ supervised = false, graceSeconds = 5, drainSeconds = 0 } = {}) {
  const host = makeHost();
  const logger = makeLogger({ level: 'silent', name: 'test' });
  const options = { logger, graceSeconds, drainSeconds, supervised, process: host };
  return { host, lifecycle: makeLifecycle(options) };
}

describe('shutdown', () => {
  it('runs the steps one after another, last opened first, and ends with 0', async () => {
    const { host, lifecycle } = make();
    const order: string[] = [];
    lifecycle.onShutdown('database', () => void order.push('database'));
    lifecycle.onShutdown('http', async () => {
      await new Promise((next) => setTimeout(next, 10));
      order.push('http');
    });
    host.emit('SIGTERM');
    expect(lifecycle.isShuttingDown).toBe(true);
    await host.exited;
    expect(order).toEqual(['http', 'database']);
    expect(host.codes).toEqual([0]);
  });

  it('continues after a failing step and ends with 1', async () => {
    const { host, lifecycle } = make();
    const order: string[] = [];
    lifecycle.onShutdown('database', () => void order.push('database'));
    lifecycle.onShutdown('http', () => Promise.reject(new Error('stuck')));
    await lifecycle.shutdown('test');
    expect(order).toEqual(['database']);
    expect(host.codes).toEqual([1]);
  });

  it('ends with 1 when a step outlasts the deadline', async () => {
    const { host, lifecycle } = make({ graceSeconds: 0.02 });
    const { promise, finish } = makeGate();
    lifecycle.onShutdown('stuck', () => promise);
    const ending = lifecycle.shutdown('test');
    await host.exited;
    expect(host.codes).toEqual([1]);
    finish();
    await ending;
  });

  it('runs once, however often it is called', async () => {
    const { host, lifecycle } = make();
    let runs = 0;
    lifecycle.onShutdown('step', () => {
      runs += 1;
    });
    await Promise.all([lifecycle.shutdown('a'), lifecycle.shutdown('b')]);
    expect(runs).toBe(1);
    expect(host.codes).toEqual([0]);
  });
});

describe('signals', () => {
  it('treats two signals in quick succession as one, because npm repeats the Ctrl-C of the terminal', async () => {
    const { host, lifecycle } = make();
    let runs = 0;
    lifecycle.onShutdown('step', () => {
      runs += 1;
    });
    host.emit('SIGINT');
    host.emit('SIGINT');
    await host.exited;
    expect(runs).toBe(1);
    expect(host.codes).toEqual([0]);
  });

  it('ends at once at a later second signal', async () => {
    const { host, lifecycle } = make();
    const { promise, finish } = makeGate();
    lifecycle.onShutdown('slow', () => promise);
    host.emit('SIGINT');
    await new Promise((next) => setTimeout(next, 1_050));
    host.emit('SIGINT');
    expect(host.codes).toEqual([130]);
    finish();
    await lifecycle.shutdown('again');
  });

  it('leaves Ctrl-C to the supervisor and ends when the supervisor is gone', async () => {
    const { host, lifecycle } = make({ supervised: true });
    host.emit('SIGINT');
    expect(lifecycle.isShuttingDown).toBe(false);
    host.emit('disconnect');
    await host.exited;
    expect(host.codes).toEqual([0]);
  });
});

describe('draining', () => {
  const DRAIN_MS = 300;

  /** The time from the event to the first step, and whether the shutdown was announced before it. */
  async function timeOf(
    event: string,
    { serves = true, supervised = false } = {},
  ): Promise<{ waitedMs: number; knewBefore: boolean }> {
    // The grace period is shorter than the draining and begins after it.
    const drainSeconds = DRAIN_MS / 1_000;
    const { host, lifecycle } = make({ graceSeconds: 0.2, drainSeconds, supervised });
    let isEnding = false;
    let knewBefore = false;
    let closedMs = 0;
    if (serves) {
      lifecycle.onEnding(() => {
        isEnding = true;
      });
    }
    lifecycle.onShutdown('http', () => {
      knewBefore = isEnding;
      closedMs = performance.now();
    });
    const signalledMs = performance.now();
    host.emit(event);
    expect(isEnding).toBe(serves);
    await host.exited;
    expect(host.codes).toEqual([0]);
    return { waitedMs: closedMs - signalledMs, knewBefore };
  }

  it('keeps serving for a while after SIGTERM, after announcing the shutdown', async () => {
    const { waitedMs, knewBefore } = await timeOf('SIGTERM');
    expect(waitedMs).toBeGreaterThanOrEqual(DRAIN_MS - 5);
    expect(knewBefore).toBe(true);
  });

  it('delays neither Ctrl-C, nor the end of the supervisor, nor a process that is not yet ready', async () => {
    const { waitedMs: afterCtrlC, knewBefore } = await timeOf('SIGINT');
    const { waitedMs: alone } = await timeOf('disconnect', { supervised: true });
    const { waitedMs: early } = await timeOf('SIGTERM', { serves: false });
    expect(knewBefore).toBe(true);
    expect(Math.max(afterCtrlC, alone, early)).toBeLessThan(DRAIN_MS / 2);
  });
});
