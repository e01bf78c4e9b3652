import type { ClientMessage, Wire } from './wire.ts';

const TYPE_PARSE = 0x50;
const TYPE_BIND = 0x42;
const TYPE_QUERY = 0x51;
/** ReadyForQuery, its length, and a status. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const BEGINS = /^BEGIN/;
const ENDS = /^(COMMIT|ROLLBACK)/;

/**
 * A connection to PostgreSQL. `asks` of a message is the statement that it executes, even if it was prepared earlier. `rewrite` may
 * replace the text of a statement by another one of the same length.
 */
export function makePostgresWire(rewrite: (sql: string) => string): Wire {
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  let isInTransaction = false;
  const prepared = new Map<string, string>();

  const sqlOf = (message: Buffer): string | undefined => {
    const type = message[0];
    if (type === TYPE_QUERY) return textAt(message, 5).text;
    if (type === TYPE_PARSE) {
      const name = textAt(message, 5);
      const sql = textAt(message, name.next);
      prepared.set(name.text, sql.text);
      const changed = rewrite(sql.text);
      if (changed !== sql.text) message.write(changed, name.next);
      return undefined;
    }
    if (type !== TYPE_BIND) return undefined;
    const portal = textAt(message, 5);
    return prepared.get(textAt(message, portal.next).text);
  };

  const messageOf = (bytes: Buffer, asks: string | undefined): ClientMessage => {
    const begins = asks !== undefined && !isInTransaction;
    if (asks !== undefined && BEGINS.test(asks)) isInTransaction = true;
    if (asks !== undefined && ENDS.test(asks)) isInTransaction = false;
    return { bytes, asks, begins };
  };

  let tail: Buffer = Buffer.alloc(0);
  return {
    readClient: (data) => {
      rest = Buffer.concat([rest, data]);
      const messages: ClientMessage[] = [];
      for (;;) {
        // The first message of a connection has no type.
        const head = hasBegun ? 1 : 0;
        if (rest.length < head + 4) return messages;
        const length = head + rest.readInt32BE(head);
        if (rest.length < length) return messages;
        const bytes = Buffer.from(rest.subarray(0, length));
        rest = rest.subarray(length);
        messages.push(messageOf(bytes, hasBegun ? sqlOf(bytes) : undefined));
        hasBegun = true;
      }
    },
    readServer: (data) => {
      tail = Buffer.concat([tail, data]).subarray(-READY.length - 1);
      return tail.length > READY.length && tail.subarray(0, -1).equals(READY);
    },
  };
}

function textAt(message: Buffer, start: number): { text: string; next: number } {
  const end = message.indexOf(0, start);
  return { text: message.toString('utf8', start, end), next: end + 1 };
}
