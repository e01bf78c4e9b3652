import { isAnswered, makeClientReader } from './postgres-wire.ts';
import { type Link, startTcpProxy, type Tap, type TcpProxy } from './tcp-proxy.ts';

/** `before`: the server has not seen the statement. `answered`: it is done, and the process does not know. */
export type Moment = 'before' | 'answered';

/** A connection that is stopped at a statement. */
export interface Hold {
  /** Goes on as if nothing had been. */
  release(): void;
  /** Resets the connection at both ends. */
  cut(): void;
}

export interface Point {
  readonly statement: RegExp;
  readonly moment: Moment;
}

/** Knows the statements that one process sends to PostgreSQL, and can stop it at any of them. */
export interface DatabaseProxy extends TcpProxy {
  /**
   * Resolves when the process comes to this statement; its connection stands still until it is let go. Undefined when
   * it has not come to it within HOLD_MS_MAX, or the signal was first.
   */
  hold(point: Point, signal?: AbortSignal): Promise<Hold | undefined>;
  /** Puts something no longer in the place of this part, in every statement that is prepared from now on. */
  change(part: string, instead: string): void;
  /** How many statements were sent that match. */
  count(statement: RegExp): number;
}

interface Waiting extends Point {
  readonly hit: (hold: Hold) => void;
}

const HOLD_MS_MAX = 30_000;

export async function startDatabaseProxy(targetPort: () => number): Promise<DatabaseProxy> {
  const waiting = new Set<Waiting>();
  const changes: { readonly part: string; readonly instead: string }[] = [];
  const counted = new Map<RegExp, number>();
  const rewrite = (sql: string): string =>
    changes.reduce((text, { part, instead }) => text.replaceAll(part, instead), sql);
  const take = (sql: string | undefined): Waiting | undefined => {
    if (sql === undefined) return undefined;
    for (const [pattern, count] of counted) if (pattern.test(sql)) counted.set(pattern, count + 1);
    for (const one of waiting) {
      if (!one.statement.test(sql)) continue;
      waiting.delete(one);
      return one;
    }
    return undefined;
  };
  const proxy = await startTcpProxy(targetPort, (link) => makeTap(link, rewrite, take));
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
        signal?.addEventListener('abort', giveUp);
        waiting.add(one);
      }),
    change: (part, instead) => {
      if (instead.length > part.length) throw new Error('there is no room for it');
      changes.push({ part, instead: instead.padEnd(part.length) });
    },
    count: (statement) => {
      const count = counted.get(statement) ?? 0;
      counted.set(statement, count);
      return count;
    },
  };
}

function makeTap(
  link: Link,
  rewrite: (sql: string) => string,
  take: (sql: string | undefined) => Waiting | undefined,
): Tap {
  const read = makeClientReader(rewrite);
  let isHeld = false;
  let queued: { bytes: Buffer; sql: string | undefined }[] = [];
  let awaitsAnswer: Waiting | undefined;
  let answer: Buffer = Buffer.alloc(0);

  const hold = (one: Waiting, goOn: () => void): void => {
    isHeld = true;
    one.hit({
      release: () => {
        isHeld = false;
        goOn();
        drain();
      },
      cut: link.cut,
    });
  };
  const drain = (): void => {
    while (!isHeld) {
      const message = queued.shift();
      if (message === undefined) return;
      const found = take(message.sql);
      if (found?.moment === 'before') {
        hold(found, () => link.toServer(message.bytes));
        return;
      }
      awaitsAnswer = found ?? awaitsAnswer;
      link.toServer(message.bytes);
    }
  };
  return {
    fromClient: (data) => {
      queued = [...queued, ...read(data)];
      drain();
    },
    fromServer: (data) => {
      if (awaitsAnswer === undefined) {
        link.toClient(data);
        return;
      }
      answer = Buffer.concat([answer, data]);
      if (!isAnswered(answer)) return;
      const [one, whole] = [awaitsAnswer, answer];
      awaitsAnswer = undefined;
      answer = Buffer.alloc(0);
      hold(one, () => link.toClient(whole));
    },
  };
}
