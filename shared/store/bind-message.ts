import type { BindConfig, Client } from 'pg';

// The database client writes the message with a statement's parameters into memory that it makes larger step by step: for the
// megabytes of a batch the system hands out and takes back several times as much, a page at a time. Here it is written once,
// into memory that is used again.

/** In all so many bytes, about, are large; what is smaller the client writes itself. */
const LARGE_BYTES = 65_536;
/** Kept for the next message: one for each batch that a worker has in hand, and none larger than the largest certificates need. */
const KEPT_MAX = 2;
const KEPT_BYTES_MAX = 4 * 1_024 * 1_024;
/** So that a message that is a little larger than those before finds room. */
const ROOM = 1.25;

const kept: Buffer[] = [];

type Value = string | Buffer | null;

/** From now on a statement with large parameters is sent so. */
export function sendLargeAtOnce({ connection }: Client): void {
  const bind = connection.bind.bind(connection);
  connection.bind = (config, more) => {
    const isLarge = lengthOf(config?.values ?? []) >= LARGE_BYTES;
    if (config === null || config.binary || !isLarge) return bind(config, more);
    const { stream } = connection;
    if (!stream.writable) return;
    const { memory, length } = writeMessage(config);
    stream.write(memory.subarray(0, length), () => keep(memory));
  };
}

/** In characters or bytes, of what says its own. */
function lengthOf(values: readonly unknown[]): number {
  let length = 0;
  for (const value of values) {
    if (typeof value === 'string' || value instanceof Buffer) length += value.length;
  }
  return length;
}

const TYPE = 'B'.charCodeAt(0);
const [TEXT, BINARY] = [0, 1];

/** "Bind" of PostgreSQL's "Message Formats": texts as texts, buffers in the binary form of their types, results as texts. */
function writeMessage({ portal = '', statement = '', values = [], valueMapper }: BindConfig): {
  readonly memory: Buffer;
  readonly length: number;
} {
  const mapped = values.map((value, index): Value => {
    const one: Value | undefined = valueMapper === undefined ? value : valueMapper(value, index);
    return one ?? null;
  });
  const lengths = mapped.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const names = Buffer.from(`${portal}\0${statement}\0`);
  const valueBytes = lengths.reduce((sum, length) => sum + length, 0);
  // Type and length; names; the count and format of each value; the count, and of each its length and itself; one format of results.
  const length =
    1 + 4 + names.length + 2 + 2 * mapped.length + 2 + 4 * mapped.length + valueBytes + 4;
  const memory = take(length);
  let at = memory.writeUInt8(TYPE);
  at = memory.writeInt32BE(length - 1, at);
  at += names.copy(memory, at);
  at = memory.writeUInt16BE(mapped.length, at);
  for (const value of mapped)
    at = memory.writeUInt16BE(value instanceof Buffer ? BINARY : TEXT, at);
  at = memory.writeUInt16BE(mapped.length, at);
  for (const [index, value] of mapped.entries()) {
    at = memory.writeInt32BE(value === null ? -1 : (lengths[index] ?? 0), at);
    if (value !== null)
      at += typeof value === 'string' ? memory.write(value, at) : value.copy(memory, at);
  }
  at = memory.writeUInt16BE(1, at);
  memory.writeUInt16BE(TEXT, at);
  return { memory, length };
}

/** Nobody else has it until it is kept again. */
function take(length: number): Buffer {
  const at = kept.findIndex((memory) => memory.length >= length);
  const [memory] = at < 0 ? [] : kept.splice(at, 1);
  return memory ?? Buffer.allocUnsafeSlow(Math.ceil(length * ROOM));
}

/** Only when the system has taken over what was written. The larger ones stay. */
function keep(memory: Buffer): void {
  if (memory.length > KEPT_BYTES_MAX) return;
  kept.push(memory);
  kept.sort((one, other) => one.length - other.length);
  if (kept.length > KEPT_MAX) kept.shift();
}
