import { ANSWER_BYTES_MAX } from '../../contract/machine/bounds.ts';

/** The bytes that are left in an answer (D33). */
export interface AnswerRoom {
  /** Reserves the bytes of the value as JSON. Returns false, and reserves nothing, when it does not fit. */
  reserve(value: unknown): boolean;
}

/** Reserved for the envelope and for the members around the items of a list. */
const ENVELOPE_BYTES = 2_000;

export function makeAnswerRoom(bytes = ANSWER_BYTES_MAX - ENVELOPE_BYTES): AnswerRoom {
  let left = bytes;
  return {
    reserve(value) {
      const needed = bytesOf(value);
      if (needed > left) return false;
      left -= needed;
      return true;
    },
  };
}

/** The first values, up to the first that does not fit. */
export function takeWhileFits<Value>(room: AnswerRoom, values: Iterable<Value>): Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    if (!room.reserve(value)) break;
    taken.push(value);
  }
  return taken;
}

/** The size including the comma that follows. Counters of the database are still bigint here. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
  return Buffer.byteLength(text ?? '') + 1;
}
