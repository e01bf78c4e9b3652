import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { type JsonObject, readJson } from '../../../api/http/body/read-json.ts';
import { requestHash } from '../../../api/http/body/request-hash.ts';
import type { TransmissionKind } from '../../../shared/contract/enums.ts';

const TARGET = 'PPAI-2026-000000001';

/** D5, with the library that RFC 8785 names. */
function hashByTheBook(body: unknown): Buffer {
  const canonical = canonicalize({ operation: 'AMEND', target: TARGET, body });
  return createHash('sha256')
    .update(canonical ?? '')
    .digest();
}

/** The JSON that the API reads; undefined where it refuses the text. */
function read(text: string): JsonObject | undefined {
  return readJson(Buffer.from(text)).value;
}

function hashOf(kind: TransmissionKind, target: string | null, body: JsonObject = {}): Buffer {
  return requestHash(kind, target, body);
}

describe('the hash that identifies identical requests (D5)', () => {
  it('is computed over the RFC 8785 form of any JSON that the API accepts', () => {
    // Names that sort differently as numbers, by code points or by a locale, and escaped texts.
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '10',
        '9',
        '\u20ac',
        '\r',
        '\ufb33',
        '\ud83d\ude00',
        '\u00f6',
        '"\\/\b\u007f',
        'toJSON',
      ),
    );
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, false),
        number,
        text,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 6 }),
      ),
    }));
    let accepted = 0;
    fc.assert(
      fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 6 }), (sent) => {
        const body = read(JSON.stringify(sent));
        if (body === undefined) return;
        accepted += 1;
        expect(hashOf('AMEND', TARGET, body)).toEqual(hashByTheBook(body));
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('is the same for more members than are sorted at once', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `m${(index * 7_919) % 1_000}`);
    const body = read(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, at]))));
    expect(hashOf('AMEND', TARGET, body)).toEqual(hashByTheBook(body));
  });

  it('does not depend on order, white space, or the notation of numbers and texts', () => {
    const one = read('{"a":1,"b":[{"c":"\\u20ac","d":1e2}]}');
    const other = read(' { "b" : [ { "d" : 100.0 , "c" : "€" } ] , "a" : 1.0 } ');
    expect(one).toBeDefined();
    expect(hashOf('CREATE', null, one)).toEqual(hashOf('CREATE', null, other));
  });

  it('is the same as in earlier releases, so that a replay is recognized after an upgrade', () => {
    const body = read(
      '{"vehicles":[{"plateNumber":"ABC 123"}],"externalTransactionId":"X-1","policy":{"premiumAmount":1500.50}}',
    );
    expect(hashOf('CREATE', null, body).toString('hex')).toBe(
      'd6e6b6e6ae58e27a6d1997193d7751061a6ed3e1a3350ad397fa1579967161be',
    );
    expect(hashOf('AMEND', TARGET, body).toString('hex')).toBe(
      '6591a0e5748fc0137721cc3d67d2da1272efb455c7630bdb78c22b38d659ef8e',
    );
  });

  it('depends on operation, target and every value', () => {
    const hashes = [
      hashOf('CREATE', null, { a: 1 }),
      hashOf('AMEND', TARGET, { a: 1 }),
      hashOf('CANCEL', TARGET, { a: 1 }),
      hashOf('AMEND', 'PPAI-2026-000000002', { a: 1 }),
      hashOf('AMEND', TARGET, { a: '1' }),
      hashOf('AMEND', TARGET, { a: null }),
      hashOf('AMEND', TARGET, {}),
    ].map((hash) => hash.toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
