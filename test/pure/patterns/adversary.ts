/** How much CPU time a pattern takes at worst on texts of so many characters, as far as an adversary finds them. */
export interface Worst {
  readonly milliseconds: number;
  /** The text, by how it is built. */
  readonly text: string;
  readonly characters: number;
}

/** A text of any length: the beginning, what is repeated, the end. */
interface Shape {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** What takes exponential time passes any limit between two of the short lengths, and ends soon enough to be told. */
const SHORT = { from: 8, to: 64, growth: 1.2 };
const GROWTH = 4;
const PROBE_CHARACTERS = 4_096;
/** Of all shapes, those that are grown to the full length. */
const GROWN = 6;
const REPEATS = 40;
/** Far enough below the limit that one run says so. */
const CLEARLY = 0.2;
const ALWAYS = ['a', '0', ' ', '\n', '-', '.', '"', '\\', '@', 'é'];
const CHARACTERS_MAX = 16;
const AFTER = ['', '!', '\u0000', '\n', '"', 'a', '('];

/** Stops growing where the limit is passed: what is quadratic, or worse, is found before it becomes hours. */
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

/** The slowest of the lengths up to the last, or up to the one that takes longer than the limit. */
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
 * The least of several runs, so that what else the machine does is not counted; one is enough far below the limit, and few
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
  if (!pattern.global) pattern.test(text);
  else while (pattern.exec(text) !== null) if (pattern.lastIndex === text.length) break;
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

/** What stands in the pattern for itself, escaped or not. */
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
