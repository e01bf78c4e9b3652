import type { ClientMessage, Wire } from './wire.ts';

const LINE_END = '\r\n';
const AGGREGATES = '*~>';
const BULKS = '$=!';

/** A connection of a pipelining Redis client. `asks` of a message is the text of its command. */
export function makeRedisWire(): Wire {
  let asked: Buffer = Buffer.alloc(0);
  let answered: Buffer = Buffer.alloc(0);
  let owed = 0;
  return {
    readClient: (data) => {
      const [messages, rest] = splitValues(Buffer.concat([asked, data]));
      asked = rest;
      owed += messages.length;
      return messages.map(
        (bytes): ClientMessage => ({ bytes, asks: bytes.toString('latin1'), begins: true }),
      );
    },
    readServer: (data) => {
      const [values, rest] = splitValues(Buffer.concat([answered, data]));
      answered = rest;
      // Pushed values are not answers.
      owed -= values.filter((value) => value[0] !== 0x3e).length;
      return owed <= 0;
    },
  };
}

function splitValues(data: Buffer): [Buffer[], Buffer] {
  const values: Buffer[] = [];
  let start = 0;
  for (;;) {
    const end = endOfValue(data, start);
    if (end === undefined) return [values, Buffer.from(data.subarray(start))];
    values.push(Buffer.from(data.subarray(start, end)));
    start = end;
  }
}

/** Undefined when the value is not complete. */
function endOfValue(data: Buffer, start: number): number | undefined {
  const lineEnd = data.indexOf(LINE_END, start, 'latin1');
  if (lineEnd < 0) return undefined;
  const type = String.fromCharCode(data[start] ?? 0);
  const next = lineEnd + LINE_END.length;
  const count = Number(data.toString('latin1', start + 1, lineEnd));
  if (BULKS.includes(type)) {
    const end = count < 0 ? next : next + count + LINE_END.length;
    return end <= data.length ? end : undefined;
  }
  const parts = AGGREGATES.includes(type) ? count : type === '%' ? count * 2 : 0;
  let end: number | undefined = next;
  for (let part = 0; part < parts && end !== undefined; part += 1) end = endOfValue(data, end);
  return end;
}
