import { ANSWER_BYTES_MAX } from '../../contract/machine/bounds.ts';

/** What an answer still has room for (D33). */
export interface AnswerRoom {
  /** Whether the value fits, as JSON; then its room is taken. */
  takes(value: unknown): boolean;
}

/** The envelope around the data of an answer, and what surrounds the items of a list. */
const SURROUNDINGS_BYTES = 2_000;

export function makeAnswerRoom(bytes = ANSWER_BYTES_MAX - SURROUNDINGS_BYTES): AnswerRoom {
  let left = bytes;
  return {
    takes(value) {
      const needed = bytesOf(value);
      if (needed > left) return false;
      left -= needed;
      return true;
    },
  };
}

/** As many from the first on as fit. */
export function takeWhileFits<Value>(room: AnswerRoom, values: Iterable<Value>): Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    if (!room.takes(value)) break;
    taken.push(value);
  }
  return taken;
}

/** With the comma after it. Counters of the database are bigint before they are presented. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
  return Buffer.byteLength(text ?? '') + 1;
}
