/** The longest CPU time that a pattern takes on texts of this length, as far as the search finds them. */
export interface Worst {
  readonly milliseconds: number;
  /** A description of the text. */
  readonly text: string;
  readonly characters: number;
}

/** A text of any length: a prefix, a repeated part, a suffix. */
interface Shape {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** Exponential time exceeds any limit between two of the short lengths, and still ends soon enough to be measured. */
const SHORT = { from: 8, to: 64, growth: 1.2 };
const GROWTH = 4;
const PROBE_CHARACTERS = 4_096;
/** Number of shapes that are tested at full length. */
const GROWN = 6;
const REPEATS = 40;
/** Far enough below the limit for one run to be enough. */
const CLEARLY = 0.2;
const ALWAYS = ['a', '0', ' ', '\n', '-', '.', '"', '\\', '@', 'é'];
const CHARACTERS_MAX = 16;
const AFTER = ['', '!', '\u0000', '\n', '"', 'a', '('];

/** Stops at the limit, so that quadratic or worse patterns are found before they take hours. */
export function findWorst(pattern: RegExp, longest: number, limitMs: number): Worst {
  const probe = Math.min(PROBE_CHARACTERS, longest);
  const slowestFirst = (one: Worst, other: Worst) => other.milliseconds - one.milliseconds;
  const probed = shapesFor(pattern)
    .map((shape) => ({ shape, worst: grow(pattern, shape, [SHORT.from, probe], limitMs) }))
    .sort((one, other) => slowestFirst(one.worst, other.worst))
    .slice(0, GROWN);
  const grown = probed.map(({ shape, worst }) =>
    worst.milliseconds > limitMs ? worst : grow(pattern, shape, [probe, longest], limitMs),
  );
  const [worst] = grown.sort(slowestFirst);
  if (worst === undefined) throw new Error('no shape of a text was tried');
  return worst;
}

/** The slowest length up to the last one, or up to the first that exceeds the limit. */
function grow(
  pattern: RegExp,
  shape: Shape,
  [first, last]: readonly [number, number],
  limitMs: number,
): Worst {
  let worst: Worst = { milliseconds: 0, text: describe(shape), characters: 0 };
  for (let characters = Math.min(first, last); ; characters = next(characters, last)) {
    const milliseconds = measure(pattern, textOf(shape, characters), limitMs);
    if (milliseconds > worst.milliseconds) worst = { ...worst, milliseconds, characters };
    if (milliseconds > limitMs || characters === last) return worst;
  }
}

function next(characters: number, last: number): number {
  const growth = characters < SHORT.to ? SHORT.growth : GROWTH;
  return Math.min(Math.ceil(characters * growth), last);
}

/**
 * The minimum of several runs, so that other work of the machine does not count. One run is enough far below the limit, and few
 * far above it.
 */
function measure(pattern: RegExp, text: string, limitMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let spent = 0; spent < REPEATS * limitMs && least > limitMs * CLEARLY; ) {
    const before = process.cpuUsage();
    apply(pattern, text);
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1_000;
    least = Math.min(least, took);
    spent += took;
  }
  return least;
}

function apply(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (!pattern.global) {
    pattern.test(text);
    return;
  }
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    // Like replaceAll: an empty match would otherwise be found again for ever.
    if (match[0] === '') pattern.lastIndex += 1;
  }
}

function textOf({ before, pump, after }: Shape, characters: number): string {
  const left = Math.max(characters - before.length - after.length, 0);
  return before + pump.repeat(Math.ceil(left / pump.length)).slice(0, left) + after;
}

function describe({ before, pump, after }: Shape): string {
  return `${JSON.stringify(before)} + ${JSON.stringify(pump)}… + ${JSON.stringify(after)}`;
}

function shapesFor({ source }: RegExp): Shape[] {
  const characters = [...new Set([...literalsOf(source), ...ALWAYS])].slice(0, CHARACTERS_MAX);
  const pairs = characters.flatMap((one) =>
    characters.filter((other) => other !== one).map((other) => one + other),
  );
  const words = source.match(/[A-Za-z][A-Za-z ]{2,}/g) ?? [];
  const beginnings = new Set(['', beginningOf(source), 'a', 'a=', '0']);
  return [...beginnings].flatMap((before) => [
    ...[...characters, ...words].flatMap((pump) => AFTER.map((after) => ({ before, pump, after }))),
    ...pairs.map((pump) => ({ before, pump, after: '!' })),
  ]);
}

/** Literal characters of the pattern, escaped or not. */
function literalsOf(source: string): string[] {
  const plain = source.replace(/\\[dDwWsSbBpPuxk]/g, '');
  return Array.from(plain.replaceAll('\\', '')).filter(
    (character) => !'^$|?*+{}[]'.includes(character),
  );
}

/** `Bearer ` of `^Bearer +(\S+) *$`. */
function beginningOf(source: string): string {
  return /^\^?([A-Za-z:=/ ]*)/.exec(source)?.[1] ?? '';
}
