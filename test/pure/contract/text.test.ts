import { z } from 'zod';
import { ENDPOINTS, type Endpoint } from '../../../shared/contract/machine/endpoints.ts';
import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { findTextFlaw, staffText, text } from '../../../shared/contract/text.ts';

type Schema = z.core.$ZodType;

/** An input text: the endpoint, the part of the request, the path of the member. */
interface Entrance {
  readonly name: string;
  readonly schema: z.ZodString;
}

/** Passwords and client secrets are hashed and never shown. For the numbers of a cancellation see D31 in its handler. */
const COMPARED = /password|Password|client_secret|^cancel body\.(policyNumber|cocNumber)$/;

function entrancesOf(name: string, schema: Schema): Entrance[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<Schema>(schema.shape).flatMap(([member, inner]) =>
      entrancesOf(`${name}.${member}`, inner),
    );
  }
  if (schema instanceof z.ZodArray) return entrancesOf(`${name}[]`, schema.element);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return entrancesOf(name, schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) {
    // The result of a transformation has no schema. The text is its input.
    return entrancesOf(name, schema.out instanceof z.ZodTransform ? schema.in : schema.out);
  }
  // Formats such as z.iso.date() have their own classes.
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) {
    return [{ name, schema: schema as z.ZodString }];
  }
  if (WITHOUT_TEXT.some((type) => schema instanceof type)) return [];
  throw new Error(`${name} has an unknown type: say here whether a text comes in`);
}

const WITHOUT_TEXT = [z.ZodNumber, z.ZodEnum, z.ZodBoolean, z.ZodLiteral];

const endpoints: [string, Endpoint | StaffEndpoint][] = [
  ...Object.entries<Endpoint>(ENDPOINTS),
  ...Object.entries<StaffEndpoint>(STAFF_ENDPOINTS),
];
const entrances = endpoints.flatMap(([name, { params, query, body }]) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined ? [] : entrancesOf(`${name} ${part}`, schema),
  ),
);
const kept = entrances.filter(({ name }) => !COMPARED.test(name));

/** A text of the maximum length that repeats the given text. */
function filled(schema: z.ZodString, unit: string): string {
  return unit.repeat(Math.min(schema.maxLength ?? 20, 10));
}

describe('every input text (D31)', () => {
  it('is found by this test', () => {
    expect(kept.length).toBeGreaterThan(150);
    expect(entrances.length - kept.length).toBeLessThan(15);
  });

  it.each([
    ['a bell', 'AB\u0007C1'],
    ['an escape', 'AB\u001bC1'],
    ['a delete', 'AB\u007fC1'],
    ['a control character of C1', 'AB\u009bC1'],
    ['a NUL', 'AB\0C1'],
    ['an override', 'AB\u202eC1'],
    ['an embedding', 'AB\u202aC1'],
    ['an isolate', 'AB\u2066C1'],
    ['an isolate without a beginning', 'AB\u2069C1'],
    ['a vertical tab', 'AB\u000bC1'],
  ])('is refused with %s', (_what, value) => {
    const passed = kept.filter(({ schema }) => schema.safeParse(value).success);
    expect(passed.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['a tab', 'AB\tC1'],
    ['a line feed', 'AB\nC1'],
    ['a carriage return', 'AB\rC1'],
    ['a line separator', 'AB\u2028C1'],
  ])('may contain %s only in remarks, reasons, notes and addresses', (_what, value) => {
    const passed = kept.filter(({ schema }) => schema.safeParse(value).success);
    expect(new Set(passed.map(({ name }) => name.split('.').at(-1)))).toEqual(
      new Set(['address', 'note', 'notes', 'reason', 'reasonText', 'remarks']),
    );
  });

  it('must not exceed its maximum before or after NFKC', () => {
    // NFKC turns this character into eighteen.
    const passed = entrances.filter(
      ({ name, schema }) =>
        !/password|Password|client_secret/.test(name) &&
        schema.maxLength !== null &&
        schema.safeParse('\ufdfa'.repeat(Math.ceil(schema.maxLength / 17))).success,
    );
    expect(passed.map(({ name }) => name)).toEqual([]);
  });

  it('must contain a visible character where it is required', () => {
    const required =
      /\.(name|plateNumber|mvFileNumber|engineNumber|chassisNumber|issuingInsurerCode|policyNumber|cocNumber|coverageType|notes?|reason|reasonText)$/;
    const invisible = ['\u200b', '\u2060\u200d', '\u3164', '\u2800', '\u00ad', '\ufe0f', '\u034f'];
    const inBodies = kept.filter(({ name }) => / body\./.test(name) && required.test(name));
    expect(inBodies.length).toBeGreaterThan(20);
    const passed = inBodies.flatMap(({ name, schema }) =>
      invisible.filter((unit) => schema.safeParse(filled(schema, unit)).success).map(() => name),
    );
    // A selector of an amendment may be empty.
    expect(passed.filter((name) => !/\.(match|remove\[\])\./.test(name))).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['letters of any script', 'Ñandú Ωmega Дом 東京 กรุงเทพ'],
    ['a right-to-left script with its marks', '\u200fשלום\u200f abc'],
    ['an Arabic letter mark', '\u061cمرحبا'],
    ['emoji that are joined', '👩\u200d🔧 🇵🇭'],
    ['a word joiner and a soft hyphen between letters', 'a\u2060b\u00adc'],
  ])('may contain %s', (_what, value) => {
    expect(findTextFlaw(value, { charactersMax: 64, isVisible: true })).toBeUndefined();
  });

  it('that is empty, or is empty after normalization, counts as absent and is valid (D7)', () => {
    for (const value of ['', ' ', '\u00a0', '\u3000 \ufeff'])
      expect(findTextFlaw(value, { isVisible: true })).toBeUndefined();
  });

  it('of several lines may contain tabs and line breaks, but no other control character', () => {
    const lines = { lines: 'several' } as const;
    expect(findTextFlaw('a\tb\r\nc\u2029d', lines)).toBeUndefined();
    expect(findTextFlaw('a\u000cb', lines)).toBe('The character U+000C is not accepted here.');
    expect(findTextFlaw('a\u202eb', lines)).toBe('The character U+202E is not accepted here.');
  });

  it('is refused with a message about the character, the length or missing visible characters', () => {
    const messagesOf = (schema: z.ZodType, value: unknown) =>
      schema.safeParse(value).error?.issues.map(({ message }) => message);
    expect(messagesOf(text(5), 'a\u001b')).toEqual(['The character U+001B is not accepted here.']);
    expect(messagesOf(text(17), '\ufdfa')).toEqual([
      'At most 17 characters, also after Unicode normalization (NFKC).',
    ]);
    expect(messagesOf(text(18), '\ufdfa')).toBeUndefined();
    expect(messagesOf(text(5, { isVisible: true }), '\u200b')).toEqual([
      'At least one visible character is needed.',
    ]);
  });

  it('of the staff API is stored in its normal form', () => {
    expect(staffText(20).parse('  \uff21\u0308lpha ')).toBe('\u00c4lpha');
    expect(staffText(20).safeParse(' \u3000 ').success).toBe(false);
  });
});
