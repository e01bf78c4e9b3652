// V8 has a text of more than 128 KiB in memory of its own, which the system hands out a page at a time and takes back: that
// costs several times what it costs to write it (docs/scaling.md).

/** A text that never is one: its pieces are made when they are sent, and gone then. */
export class TextInPieces {
  #pieces: (() => Iterable<string>) | undefined;

  constructor(pieces: () => Iterable<string>) {
    this.#pieces = pieces;
  }

  /** Once; what they are made of is not held any longer. */
  take(): Iterable<string> {
    const pieces = this.#pieces;
    if (pieces === undefined) throw new Error('a text in pieces was sent before');
    this.#pieces = undefined;
    return pieces();
  }

  /** What the database client asks a value for that it writes itself: without it, it would send an empty object. */
  toPostgres(): string {
    return [...this.take()].join('');
  }
}

/** The JSON text of an array of all elements. */
export function jsonInPieces(elements: readonly object[]): string | TextInPieces {
  if (elements.length <= 1) return JSON.stringify(elements);
  return new TextInPieces(() => joined(elements, (element) => JSON.stringify(element)));
}

/** The JSON text of one array with the elements of all, which are such texts and not empty. */
export function joinedInPieces(arrays: readonly string[]): string | TextInPieces {
  const [only = '[]', ...others] = arrays;
  if (others.length === 0) return only;
  return new TextInPieces(() => joined(arrays, (array) => array.slice(1, -1)));
}

function* joined<Part>(parts: readonly Part[], textOf: (part: Part) => string): Generator<string> {
  let separator = '[';
  for (const part of parts) {
    yield separator;
    yield textOf(part);
    separator = ',';
  }
  yield ']';
}
