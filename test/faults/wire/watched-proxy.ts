import { makePostgresWire } from './postgres-wire.ts';
import { makeRedisWire } from './redis-wire.ts';
import { type Link, startTcpProxy, type Tap, type TcpProxy } from './tcp-proxy.ts';
import type { Wire } from './wire.ts';

/** `before`: the server has not received the statement. `answered`: the server has executed it, and the process has no answer yet. */
export type Moment = 'before' | 'answered';

/** A connection that is stopped at a statement. */
export interface Hold {
  /** The traffic of the process since its transaction began, and for `answered` also the answer. */
  readonly said: string;
  /** Continues as if nothing had happened. */
  release(): void;
  /** Resets the connection at both ends. */
  cut(): void;
}

export interface Point {
  /** Matches a statement or a Redis command. */
  readonly statement: RegExp;
  readonly moment: Moment;
  /** If set, the traffic must contain this text, such as the id of a transmission. */
  readonly about?: string | undefined;
}

/** A proxy that reads the statements of one process and can stop it at any of them. */
export interface WatchedProxy extends TcpProxy {
  /**
   * Resolves when the process reaches this point; its connection is stopped until it is released. Undefined when the process has not
   * reached it within HOLD_MS_MAX or before the signal.
   */
  hold(point: Point, signal?: AbortSignal): Promise<Hold | undefined>;
  /** Replaces a part of every statement that is prepared from now on. The replacement must not be longer. */
  change(part: string, instead: string): void;
  /** The number of matching statements since the first call. */
  count(statement: RegExp): number;
}

interface Waiting extends Point {
  readonly hit: (hold: Hold) => void;
}

export const HOLD_MS_MAX = 60_000;
/** Limit per transaction. A certificate of 500 vehicles needs less. */
const SAID_BYTES_MAX = 4_000_000;

export function startDatabaseProxy(targetPort: () => number): Promise<WatchedProxy> {
  const changes: { readonly part: string; readonly instead: string }[] = [];
  const rewrite = (sql: string): string =>
    changes.reduce((text, { part, instead }) => text.replaceAll(part, instead), sql);
  return startWatchedProxy(
    targetPort,
    () => makePostgresWire(rewrite),
    (part, instead) => {
      if (instead.length > part.length) throw new Error('the replacement is longer than the part');
      changes.push({ part, instead: instead.padEnd(part.length) });
    },
  );
}

export function startRedisProxy(targetPort: () => number): Promise<WatchedProxy> {
  return startWatchedProxy(targetPort, makeRedisWire, () => {
    throw new Error('Redis commands cannot be changed');
  });
}

async function startWatchedProxy(
  targetPort: () => number,
  makeWire: () => Wire,
  change: WatchedProxy['change'],
): Promise<WatchedProxy> {
  const waiting = new Set<Waiting>();
  const counted = new Map<RegExp, number>();
  const watch: Watch = {
    see: (asks) => {
      for (const [pattern, count] of counted)
        if (pattern.test(asks)) counted.set(pattern, count + 1);
      return [...waiting].filter(({ statement }) => statement.test(asks));
    },
    take: (found, said) => {
      const one = found.find((each) => waiting.has(each) && said().includes(each.about ?? ''));
      if (one !== undefined) waiting.delete(one);
      return one;
    },
  };
  const proxy = await startTcpProxy(targetPort, (link) => makeTap(link, makeWire(), watch));
  return {
    ...proxy,
    hold: (point, signal) =>
      new Promise((resolve) => {
        const end = (hold?: Hold): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          waiting.delete(one);
          resolve(hold);
        };
        const giveUp = (): void => end();
        const one: Waiting = { ...point, hit: end };
        const timer = setTimeout(giveUp, HOLD_MS_MAX);
        if (signal?.aborted === true) return giveUp();
        signal?.addEventListener('abort', giveUp);
        waiting.add(one);
      }),
    change,
    count: (statement) => {
      const count = counted.get(statement) ?? 0;
      counted.set(statement, count);
      return count;
    },
  };
}

interface Watch {
  /** The holds that wait for this statement. */
  see(asks: string): Waiting[];
  /** Removes and returns the first of them whose point is reached. */
  take(found: readonly Waiting[], said: () => string): Waiting | undefined;
}

function makeTap(link: Link, wire: Wire, watch: Watch): Tap {
  let isHeld = false;
  let queued = wire.readClient(Buffer.alloc(0));
  let awaiting: Waiting[] = [];
  let answer: Buffer = Buffer.alloc(0);
  let said: Buffer[] = [];
  let saidBytes = 0;

  const saidSoFar = (): string => Buffer.concat([...said, answer]).toString('latin1');
  const note = (bytes: Buffer, begins: boolean): void => {
    // A pipelining client sends the next command before the answer to one that is watched.
    const isOver = begins && awaiting.length === 0;
    if (isOver || saidBytes > SAID_BYTES_MAX) [said, saidBytes] = [[], 0];
    said.push(bytes);
    saidBytes += bytes.length;
  };
  const hold = (one: Waiting, proceed: () => void): void => {
    isHeld = true;
    one.hit({
      said: saidSoFar(),
      release: () => {
        isHeld = false;
        proceed();
        drain();
      },
      cut: link.cut,
    });
  };
  const drain = (): void => {
    while (!isHeld) {
      const message = queued.shift();
      if (message === undefined) return;
      const { bytes, asks, begins } = message;
      note(bytes, begins);
      const found = asks === undefined ? [] : watch.see(asks);
      const before = found.filter(({ moment }) => moment === 'before');
      const one = before.length === 0 ? undefined : watch.take(before, saidSoFar);
      if (one !== undefined) {
        hold(one, () => link.toServer(bytes));
        return;
      }
      awaiting = [...awaiting, ...found.filter(({ moment }) => moment === 'answered')];
      link.toServer(bytes);
    }
  };
  return {
    fromClient: (data) => {
      queued = [...queued, ...wire.readClient(data)];
      drain();
    },
    fromServer: (data) => {
      const isAnswered = wire.readServer(data);
      if (awaiting.length === 0) {
        link.toClient(data);
        return;
      }
      answer = Buffer.concat([answer, data]);
      if (!isAnswered) return;
      const one = watch.take(awaiting, saidSoFar);
      const whole = answer;
      awaiting = [];
      const proceed = (): void => link.toClient(whole);
      if (one === undefined) proceed();
      else hold(one, proceed);
      answer = Buffer.alloc(0);
    },
  };
}
