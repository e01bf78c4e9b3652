// V8 has a text of more than 128 KiB in memory of its own, which the system hands out a page at a time and takes back: that
// costs several times what it costs to write it (docs/scaling.md).

/** Vehicles of the largest certificate: with values of usual length, what a column says of so many stays below that. */
const ELEMENTS_OF_A_PIECE = 500;

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

/** The JSON text of all elements, of so many at a time. */
export function jsonInPieces(
  elements: readonly object[],
  ofAPiece = ELEMENTS_OF_A_PIECE,
): string | TextInPieces {
  if (elements.length <= ofAPiece) return JSON.stringify(elements);
  return new TextInPieces(() => piecesOf(elements, ofAPiece));
}

function* piecesOf(elements: readonly object[], ofAPiece: number): Generator<string> {
  for (let at = 0; at < elements.length; at += ofAPiece) {
    const text = JSON.stringify(elements.slice(at, at + ofAPiece));
    yield at === 0 ? '[' : ',';
    yield text.slice(1, -1);
  }
  yield ']';
}
