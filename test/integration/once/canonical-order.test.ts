import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { z } from 'zod';
import { inCanonicalOrder } from '../../../api/http/body/canonical-order.ts';
import { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import { TransmissionBody, VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { text } from '../../../shared/contract/text.ts';

const TEXTS = ['', '\u20ac', '\ud83d\ude00', '"\\/', 'ABC-1234', '2026-11-25', ' '];
const NUMBERS = [0, -0, 1e21, 0.01, 0.1, 1_250.5, 2_020, -1];

/** By every member of the schema: no longer than the shortest may be, and with something to see (D31). */
function isTaken(value: string): boolean {
  return text(10, { isVisible: true }).safeParse(value).success;
}

/** Bodies of the schema, with members in any order, left out and null where they may be. */
function arbitraryOf(schema: z.core.$ZodType, name = ''): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape).map(([member, inner]) =>
        fc.tuple(fc.constant(member), arbitraryOf(inner, member)),
      );
      return fc
        .tuple(...members)
        .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
        .map((all) => Object.fromEntries(all.filter(([, value]) => value !== undefined)));
    }
    case 'array':
      return fc.array(arbitraryOf(def.element), { maxLength: 3 });
    case 'optional':
      return fc.oneof(fc.constant(undefined), arbitraryOf(def.innerType, name));
    case 'nullable':
      return fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 4, arbitrary: arbitraryOf(def.innerType, name) },
      );
    case 'number':
      return 'format' in def ? fc.integer() : fc.oneof(fc.constantFrom(...NUMBERS), fc.integer());
    case 'string':
      return name === 'externalTransactionId'
        ? fc.stringMatching(/^[A-Za-z0-9._:-]{8,20}$/)
        : fc.oneof(
            fc.constantFrom(...TEXTS),
            fc.string({ unit: 'grapheme', maxLength: 4 }).filter(isTaken),
          );
    default:
      throw new Error(`${def.type} is not made here`);
  }
}

it('what the schema of a transmission reads has the RFC 8785 form of what was sent as its JSON text (D5)', () => {
  const ordered = inCanonicalOrder(TransmissionBody);
  let vehicles = 0;
  fc.assert(
    fc.property(arbitraryOf(TransmissionBody), (body) => {
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const read = ordered?.parse(sent);
      expect(JSON.stringify(read)).toBe(canonicalize(sent));
      expect(read).toEqual(TransmissionBody.parse(sent));
      vehicles += TransmissionBody.parse(sent).vehicles.length;
    }),
    { numRuns: 1_000 },
  );
  expect(vehicles).toBeGreaterThan(500);
});

it('refuses what the schema refuses, with the same findings', () => {
  const sent = {
    externalTransactionId: 'short',
    vehicles: [{ yearModel: 1.5, vin: 'x'.repeat(33) }],
  };
  const findingsOf = (schema: z.ZodType | undefined) =>
    schema
      ?.safeParse(sent)
      .error?.issues.map((issue) => JSON.stringify(issue))
      .sort();
  const findings = findingsOf(TransmissionBody);
  expect(findings).toHaveLength(6);
  expect(findingsOf(inCanonicalOrder(TransmissionBody))).toEqual(findings);
});

describe('there is no such order of a schema', () => {
  it('that trims, as those of amendments and cancellations do', () => {
    expect(inCanonicalOrder(AmendmentBody)).toBeUndefined();
    expect(inCanonicalOrder(CancellationBody)).toBeUndefined();
  });

  it.each<[string, z.ZodType]>([
    ['a text in lower case', z.string().toLowerCase()],
    ['an address', z.url({ normalize: true })],
    ['a number of any value', z.coerce.number()],
    ['a text of any value', z.coerce.string()],
    ['a default', z.string().default('x')],
    ['a value in place of a wrong one', z.string().catch('x')],
    ['a transformed value', z.string().transform((value) => `${value}!`)],
    ['a value that is prepared', z.preprocess(String, z.string())],
    ['a choice', z.union([z.string(), z.number()])],
    ['any value', z.unknown()],
    ['an object with other members', z.looseObject({ a: z.string() })],
    ['a strict object', z.strictObject({ a: z.string() })],
    ['a list whose elements trim', z.array(z.string().trim())],
    [
      'a check that may put in another value',
      z.string().check((payload) => {
        payload.value = '';
      }),
    ],
    ['a tested list, whose elements could be replaced', z.array(z.string()).refine(() => true)],
    ['an object that is overwritten', z.object({ a: z.string() }).overwrite((value) => value)],
  ])('with %s', (_name, member) => {
    expect(inCanonicalOrder(z.object({ a: z.string(), member }))).toBeUndefined();
    expect(inCanonicalOrder(z.object({ member: member.nullish() }))).toBeUndefined();
  });
});

it('the order is made once', () => {
  expect(inCanonicalOrder(VehicleBody)).toBe(inCanonicalOrder(VehicleBody));
});
