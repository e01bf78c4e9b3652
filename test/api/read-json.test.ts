import fc from 'fast-check';
import { readJson } from '../../api/edge/read-json.ts';

/** What is refused of valid JSON (D6), looked for in every name and value. */
function isFlawed(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => name === '__proto__' || isFlawed(name) || isFlawed(member),
  );
}

/** Texts as they are written in JSON, harmless ones among them that look like others. */
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

describe('JSON that can be neither hashed nor stored', () => {
  it('is refused wherever it hides, and no other', () => {
    const blank = fc.constantFrom('', '', ' ', '\n\t');
    const text = fc.constantFrom(...TEXTS);
    const { object } = fc.letrec<{ value: string; member: string; object: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...TEXTS, ...OTHERS),
        fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
        tie('object'),
      ),
      member: fc
        .tuple(blank, text, blank, tie('value'), blank)
        .map(
          ([before, name, between, value, after]) => `${before}${name}${between}:${value}${after}`,
        ),
      object: fc.array(tie('member'), { maxLength: 4 }).map((all) => `{${all.join(',')}}`),
    }));
    const seen = { flawed: 0, sound: 0 };
    fc.assert(
      fc.property(object, (json) => {
        const parsed: unknown = JSON.parse(json);
        const isRefused = isFlawed(parsed);
        seen[isRefused ? 'flawed' : 'sound'] += 1;
        const { value, findings } = readJson(Buffer.from(json));
        expect(findings === undefined).toBe(!isRefused);
        if (!isRefused) expect(value).toEqual(parsed);
      }),
      { numRuns: 3_000 },
    );
    expect(seen.flawed).toBeGreaterThan(300);
    expect(seen.sound).toBeGreaterThan(300);
  });
});
