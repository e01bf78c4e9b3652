import { deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../random.ts';
import { placesOf, type Tree, textOf, treeOf } from './json-tree.ts';
import { ENCODINGS, NO_JSON_TYPES, NO_UTF_8 } from './poison.ts';
import type { Headers } from './target.ts';
import { type Break, TREE_BREAKS } from './tree-breaks.ts';

export interface Malformed {
  /** The kind and the position of the change. */
  readonly what: string;
  readonly bytes: Buffer;
  /** The bytes that the registry reads. */
  readonly read: Buffer;
  readonly headers: Headers;
  /** If true, the answer must be an error and nothing may be recorded. If false, any documented answer except 5xx is acceptable. */
  readonly mustBeRefused: boolean;
}

/** Malforms a valid JSON body in one way, or sometimes in several. */
export function malform(random: Random, valid: object): Malformed {
  const root = treeOf(valid);
  const layer = random.below(100);
  if (layer < 62) return breakTree(random, root);
  if (layer < 88) return breakBytes(random, root);
  return breakTransport(random, root);
}

const REPEATED_PERCENT = 15;

function breakTree(random: Random, root: Tree): Malformed {
  const breaks: Break[] = [];
  do {
    const places = placesOf(root);
    if (places.length === 0) break;
    breaks.push(random.pick(TREE_BREAKS)(random, random.pick(places)));
  } while (random.percent(REPEATED_PERCENT));
  const [only] = breaks;
  return malformed(
    breaks.map(({ what }) => what).join(', then ') || 'an empty object',
    Buffer.from(textOf(root, random), 'utf8'),
    // With several breaks the body may be valid, because one may have removed the member that another had broken.
    { mustBeRefused: breaks.length === 1 && only?.mustBeRefused === true },
  );
}

type ByteBreak = (random: Random, bytes: Buffer) => readonly [what: string, bytes: Buffer];

const insert = (random: Random, bytes: Buffer, more: readonly number[]): Buffer => {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)]);
};

const BYTE_BREAKS: readonly ByteBreak[] = [
  (random, bytes) => {
    const changed = Buffer.from(bytes);
    const at = random.below(bytes.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    return ['a bit flipped', changed];
  },
  (random, bytes) => {
    const at = random.below(bytes.length);
    return ['a byte left out', Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])];
  },
  (random, bytes) => ['a byte put in', insert(random, bytes, [random.below(256)])],
  (random, bytes) => ['no UTF-8', insert(random, bytes, random.pick(NO_UTF_8))],
  (random, bytes) => ['a control character', insert(random, bytes, [random.below(32)])],
  (random, bytes) => ['cut short', bytes.subarray(0, random.below(bytes.length))],
  (random, bytes) => ['without its beginning', bytes.subarray(1 + random.below(bytes.length - 1))],
  (random, bytes) => {
    const at = random.below(bytes.length);
    const end = at + random.below(bytes.length - at);
    return ['a part twice', Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])];
  },
  (random, bytes) => [
    'followed by more',
    Buffer.concat([bytes, Buffer.from(random.pick(['x', '}', ',', '\0', '{}', '[]', '//']))]),
  ],
  (random, bytes) => [
    'preceded by more',
    Buffer.concat([
      Buffer.from(random.pick([")]}',\n", '\ufeff', '\0', '//\n', 'x=', '\v'])),
      bytes,
    ]),
  ],
  (random, bytes) => {
    const text = bytes.toString('utf8');
    return random.percent(50)
      ? ['UTF-16 little-endian', Buffer.from(`\ufeff${text}`, 'utf16le')]
      : ['UTF-16 big-endian', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()];
  },
  (random) => [
    'something else altogether',
    Buffer.from(
      random.pick(['', ' ', '\n', 'null', 'true', '1', '""', '[]', '[{}]', '<a/>', 'a=b']),
    ),
  ],
  (_random, bytes) => ['an array around it', Buffer.from(`[${bytes.toString('utf8')}]`)],
  (_random, bytes) => ['a string around it', Buffer.from(JSON.stringify(bytes.toString('utf8')))],
  (_random, bytes) => ['compressed in secret', gzipSync(bytes)],
  (random, bytes) => {
    const noise = Buffer.from(
      Array.from({ length: 1 + random.below(400) }, () => random.below(256)),
    );
    return ['noise', random.percent(50) ? noise : Buffer.concat([bytes, noise])];
  },
];

function breakBytes(random: Random, root: Tree): Malformed {
  const bytes = Buffer.from(textOf(root, random), 'utf8');
  const [what, changed] = random.pick(BYTE_BREAKS)(random, bytes);
  return malformed(what, changed);
}

const OVER_1_MB = 1_048_577;

function breakTransport(random: Random, root: Tree): Malformed {
  const bytes = Buffer.from(textOf(root, random), 'utf8');
  switch (random.below(7)) {
    case 0:
    case 1: {
      const type = random.pick(NO_JSON_TYPES);
      return malformed(`sent as ${type}`, bytes, {
        headers: { 'content-type': type },
        mustBeRefused: true,
      });
    }
    case 2: {
      const encoding = random.pick(ENCODINGS);
      const sent = random.pick([bytes, gzipSync(bytes), deflateSync(bytes)]);
      return malformed(`encoded as ${encoding}`, sent, {
        headers: { 'content-encoding': encoding },
        mustBeRefused: true,
      });
    }
    case 3: {
      // The rest is read as another request and ends the connection.
      const read = bytes.subarray(0, random.below(bytes.length));
      return malformed('longer than it says', bytes, {
        headers: { 'content-length': String(read.length), connection: 'close' },
        read,
      });
    }
    case 4:
      return malformed('in chunks', bytes, { headers: { 'transfer-encoding': 'chunked' } });
    case 5:
      return malformed('with two content types', bytes, {
        headers: { 'content-type': ['application/json', random.pick(NO_JSON_TYPES)] },
        mustBeRefused: true,
      });
    default: {
      if (!random.percent(8)) return malformed('as it is', bytes);
      const padded = Buffer.concat([Buffer.alloc(OVER_1_MB - bytes.length, ' '), bytes]);
      return malformed('over 1 MB', padded, { mustBeRefused: true });
    }
  }
}

function malformed(
  what: string,
  bytes: Buffer,
  {
    headers = {},
    read = bytes,
    mustBeRefused = false,
  }: Partial<Pick<Malformed, 'headers' | 'read' | 'mustBeRefused'>> = {},
): Malformed {
  return { what, bytes, read, headers, mustBeRefused: mustBeRefused || !isJsonObject(read) };
}

/** Uses the strict parsers of the platform, not the registry's own. */
function isJsonObject(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
