/** What a reader of a feed got, and what it should have got: the changes' positions in the order of the feed. */
export interface ReadFeed {
  readonly expected: readonly string[];
  readonly read: readonly string[];
}

/** The kinds of mistakes that a reader made; empty for a reader that got every change once and in order. */
export function checkReader({ expected, read }: ReadFeed): string[] {
  const places = new Map(expected.map((position, place) => [position, place]));
  const got = new Set(read);
  const known = read.filter((position) => places.has(position));
  const isOrdered = known.every((position, index) => {
    const before = known[index - 1];
    return before === undefined || (places.get(before) ?? 0) <= (places.get(position) ?? 0);
  });
  return [
    ...(expected.some((position) => !got.has(position)) ? ['missed'] : []),
    ...(known.length < read.length ? ['not committed'] : []),
    ...(got.size < read.length ? ['repeated'] : []),
    ...(isOrdered ? [] : ['out of order']),
  ];
}
