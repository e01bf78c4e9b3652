import type { BindConfig, Client } from 'pg';
import { TextInPieces } from './text-in-pieces.ts';

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
/** Bytes of the last message: the next one is likely to be as long. */
let usual = 0;

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
    else if (value instanceof TextInPieces) length += LARGE_BYTES;
  }
  return length;
}

const TYPE = 'B';
const [TEXT, BINARY] = [0, 1];

/** "Bind" of PostgreSQL's "Message Formats": texts as texts, buffers in the binary form of their types, results as texts. */
function writeMessage({ portal = '', statement = '', values = [], valueMapper }: BindConfig): {
  readonly memory: Buffer;
  readonly length: number;
} {
  const mapped = values.map((value, index): Value => {
    if (value instanceof TextInPieces) return value;
    const one: Value | undefined = valueMapper === undefined ? value : valueMapper(value, index);
    return one ?? null;
  });
  const message = new Message(lengthOf(mapped));
  message.text(`${portal}\0${statement}\0`);
  message.int16(mapped.length);
  for (const value of mapped) message.int16(value instanceof Buffer ? BINARY : TEXT);
  message.int16(mapped.length);
  for (const value of mapped) message.value(value);
  message.int16(1);
  message.int16(TEXT);
  return message.end();
}

type Value = string | TextInPieces | Buffer | null;

/** Of UTF-8 for a unit of a text at most. */
const BYTES_OF_A_UNIT_MAX = 3;
const INT32_BYTES = 4;

/** How long it gets shows while it is written: what it is made of may be made only then. */
class Message {
  #at = 0;
  #memory: Buffer;

  constructor(length: number) {
    this.#memory = take(Math.max(length * ROOM, usual));
    this.text(TYPE);
    this.int32(0);
  }

  int16(value: number): void {
    this.#makeRoom(2);
    this.#at = this.#memory.writeUInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#makeRoom(INT32_BYTES);
    this.#at = this.#memory.writeInt32BE(value, this.#at);
  }

  text(value: string): void {
    this.#makeRoom(value.length * BYTES_OF_A_UNIT_MAX);
    this.#at += this.#memory.write(value, this.#at);
  }

  /** After its length; null has none. */
  value(value: Value): void {
    const start = this.#at;
    this.int32(-1);
    if (value === null) return;
    if (typeof value === 'string') this.text(value);
    else if (value instanceof TextInPieces) for (const piece of value.take()) this.text(piece);
    else this.#bytes(value);
    this.#memory.writeInt32BE(this.#at - start - INT32_BYTES, start);
  }

  /** Its own length, without the type before it, is known now. */
  end(): { readonly memory: Buffer; readonly length: number } {
    this.#memory.writeInt32BE(this.#at - TYPE.length, TYPE.length);
    usual = this.#at;
    return { memory: this.#memory, length: this.#at };
  }

  #bytes(value: Buffer): void {
    this.#makeRoom(value.length);
    this.#at += value.copy(this.#memory, this.#at);
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#memory.length) return;
    const larger = take((this.#at + bytes) * ROOM);
    this.#memory.copy(larger, 0, 0, this.#at);
    keep(this.#memory);
    this.#memory = larger;
  }
}

/** Nobody else has it until it is kept again. */
function take(length: number): Buffer {
  const at = kept.findIndex((memory) => memory.length >= length);
  const [memory] = at < 0 ? [] : kept.splice(at, 1);
  return memory ?? Buffer.allocUnsafeSlow(Math.ceil(length));
}

/** Only when the system has taken over what was written. The larger ones stay. */
function keep(memory: Buffer): void {
  if (memory.length > KEPT_BYTES_MAX) return;
  kept.push(memory);
  kept.sort((one, other) => one.length - other.length);
  if (kept.length > KEPT_MAX) kept.shift();
}
