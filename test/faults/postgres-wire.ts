/** A statement as the server is asked to run it; every other message of the client has none. */
export interface ClientMessage {
  readonly bytes: Buffer;
  readonly sql: string | undefined;
}

const TYPE_PARSE = 0x50;
const TYPE_BIND = 0x42;
const TYPE_QUERY = 0x51;
/** ReadyForQuery, its length, and a status. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/**
 * Splits what one client sends into messages of PostgreSQL's protocol and names the statement of each that runs one, also when it
 * was prepared before. `rewrite` may change the text of a statement into another of the same length.
 */
export function makeClientReader(
  rewrite: (sql: string) => string,
): (data: Buffer) => ClientMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
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

  return (data) => {
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
      messages.push({ bytes, sql: hasBegun ? sqlOf(bytes) : undefined });
      hasBegun = true;
    }
  };
}

/** Whether the server has answered all that it was asked. */
export function isAnswered(data: Buffer): boolean {
  return data.length > READY.length && data.subarray(-READY.length - 1, -1).equals(READY);
}

function textAt(message: Buffer, start: number): { text: string; next: number } {
  const end = message.indexOf(0, start);
  return { text: message.toString('utf8', start, end), next: end + 1 };
}
