import fc from 'fast-check';
import { readJson } from '../../../api/http/body/read-json.ts';

/** Valid JSON that is refused (D6), searched in every name and value. */
function isFlawed(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => name === '__proto__' || isFlawed(name) || isFlawed(member),
  );
}

/** JSON strings, including harmless ones that resemble refused ones. */
const TEXTS = [
  '""',
  '"a"',
  '"é😀"',
  '"__proto__"',
  '"\\u005f_proto__"',
  '"__proto"',
  '"a\\u0000b"',
  '"\\\\u0000"',
  '"\\""',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\ude00\\ud83d"',
  '"1e999"',
  '"{[,"',
];
const OTHERS = [
  'null',
  'true',
  'false',
  '0',
  '-1.5e3',
  '1e999',
  '-1E+999',
  '1e-999',
  '9'.repeat(309),
  `-${'9'.repeat(400)}`,
  `0.${'1'.repeat(400)}`,
  `1${'0'.repeat(307)}`,
];

interface Written {
  readonly json: string;
  /** An object in it has a repeated member. */
  readonly repeats: boolean;
}

type WrittenMember = Written & { readonly name: string };

describe('JSON that can be neither hashed nor stored', () => {
  it('is refused at any position, and no other JSON is refused', () => {
    const blank = fc.constantFrom('', '', ' ', '\n\t');
    const text = fc.constantFrom(...TEXTS);
    const { object } = fc.letrec<{ value: Written; member: WrittenMember; object: Written }>(
      (tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom(...TEXTS, ...OTHERS).map((json) => ({ json, repeats: false })),
          fc.array(tie('value'), { maxLength: 4 }).map((all) => ({
            json: `[${all.map(({ json }) => json).join(',')}]`,
            repeats: all.some(({ repeats }) => repeats),
          })),
          tie('object'),
        ),
        member: fc
          .tuple(blank, text, blank, tie('value'), blank)
          .map(([before, name, between, { json, repeats }, after]) => ({
            name: JSON.parse(name) as string,
            json: `${before}${name}${between}:${json}${after}`,
            repeats,
          })),
        object: fc.array(tie('member'), { maxLength: 4 }).map((all) => ({
          json: `{${all.map(({ json }) => json).join(',')}}`,
          repeats:
            all.some(({ repeats }) => repeats) ||
            new Set(all.map(({ name }) => name)).size < all.length,
        })),
      }),
    );
    const seen = { flawed: 0, repeated: 0, sound: 0 };
    fc.assert(
      fc.property(object, ({ json, repeats }) => {
        const parsed: unknown = JSON.parse(json);
        const isRefused = repeats || isFlawed(parsed);
        seen[repeats ? 'repeated' : isRefused ? 'flawed' : 'sound'] += 1;
        const { value, findings } = readJson(Buffer.from(json));
        expect(findings === undefined).toBe(!isRefused);
        if (!isRefused) expect(value).toEqual(parsed);
      }),
      { numRuns: 3_000 },
    );
    expect(seen.flawed).toBeGreaterThan(300);
    expect(seen.repeated).toBeGreaterThan(100);
    expect(seen.sound).toBeGreaterThan(300);
  });
});

describe('a number', () => {
  const read = (number: string) => readJson(Buffer.from(`{"a":[{"b":1},{"c":${number}}]}`));

  it.each([
    '0',
    '-0.000000000000000000000',
    '0e999999999999999999999',
    '12345e-1',
    '1234.50000000000000000000000000',
    '0.00012345E+7',
    '99999999.99',
    '100000000000000000000',
    '1000000000.00000000000000000000',
    '0.1',
    '1.7976931348623157e308',
    '5e-324',
  ])('is read exactly in any notation: %s', (number) => {
    expect(read(number)).toMatchObject({ inexactNumbers: [] });
  });

  it('of twelve digits is read exactly with a decimal point at any position', () => {
    const amount = fc.tuple(fc.bigInt({ min: 1n, max: 999_999_999_999n }), fc.nat(12), fc.nat(9));
    fc.assert(
      fc.property(amount, ([digits, decimals, zeros]) => {
        const number = `${digits}${'0'.repeat(zeros)}e-${decimals + zeros}`;
        expect(read(number)).toMatchObject({ inexactNumbers: [] });
      }),
    );
  });

  it.each([
    '99999999.999999999999999',
    '0.1000000000000000055511151231257827',
    '9007199254740993',
    '-1234567890.123456789',
    '1e-400',
    '2020.0000000000000001',
    '1.0000000000000000000001e2',
    `1.${'0'.repeat(1_000)}`,
  ])('is reported with its path when reading changes it: %s', (number) => {
    expect(read(number)).toMatchObject({ inexactNumbers: [['a', 1, 'c']] });
  });
});
