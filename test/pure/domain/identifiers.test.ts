import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../../../shared/contract/enums.ts';
import {
  isIdentifier,
  normalizeIdentifier,
  presentIdentifiers,
} from '../../../shared/domain/identifiers.ts';
import { normalizeText } from '../../../shared/domain/text.ts';

interface Vector {
  readonly kind: IdentifierKind;
  readonly sent: string;
  readonly normalized: string | null;
  readonly valid: boolean;
  readonly why: string;
}
const { vectors } = JSON.parse(
  readFileSync(join(__dirname, '../vectors/identifiers.json'), 'utf8'),
) as { vectors: Vector[] };

/** Characters of typical texts, and characters that normalization changes. */
const LIKELY = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Array.from('AZ09')) },
  fc.constantFrom(
    ...Array.from('az ~!-._/\t\n\u00A0\u2010\u3000\uFF21\u0303\u00F1\u00DF\u0131\u007F'),
  ),
);

describe('an identifier (D7)', () => {
  it.each(vectors)('$kind $sent: $why', ({ kind, sent, normalized, valid }) => {
    const normal = normalizeIdentifier(sent);
    expect(normal).toBe(normalized);
    expect(normal !== null && isIdentifier(kind, normal)).toBe(valid);
  });

  it('has a vector for the limits of every kind', () => {
    for (const kind of IDENTIFIER_KINDS) {
      const ofKind = vectors.filter((vector) => vector.kind === kind);
      expect(new Set(ofKind.map(({ valid }) => valid))).toEqual(new Set([true, false]));
    }
  });

  it('is absent when it is null or undefined', () => {
    expect(normalizeIdentifier(null)).toBeNull();
    expect(normalizeIdentifier(undefined)).toBeNull();
  });

  it('is not changed by normalizing it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 32 }), (sent) => {
        const once = normalizeIdentifier(sent);
        expect(normalizeIdentifier(once)).toBe(once);
      }),
    );
  });

  it('is normalized according to D7, also if it is already in normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: LIKELY, maxLength: 8 }), (sent) => {
        const normal = sent
          .normalize('NFKC')
          .replace(/[\s\-\u2010\u2011./_]/gu, '')
          .replace(/[a-z]/g, (letter) => letter.toUpperCase());
        expect(normalizeIdentifier(sent)).toBe(normal === '' ? null : normal);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is valid contains only A to Z and digits, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 32 }), (sent) => {
        const normal = normalizeIdentifier(sent);
        if (normal !== null && isIdentifier('engineNumber', normal)) {
          expect(normal).toMatch(/^[A-Z0-9]{4,25}$/);
        }
      }),
    );
  });

  it('is listed with the most specific kind first and without absent ones (D10)', () => {
    const vehicle = {
      plateNumber: 'P1',
      mvFileNumber: null,
      engineNumber: 'E111',
      chassisNumber: 'C111',
    };
    expect(presentIdentifiers(vehicle).map(({ kind }) => kind)).toEqual([
      'chassisNumber',
      'engineNumber',
      'plateNumber',
    ]);
  });
});

describe('a text (D7)', () => {
  it('is normalized according to D7, also if it is already in normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: LIKELY, maxLength: 8 }), (sent) => {
        const normal = sent.normalize('NFKC').trim();
        expect(normalizeText(sent)).toBe(normal === '' ? null : normal);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['trimmed', '  Maria ', 'Maria'],
    ['free of a no-break space around it', '\u00A0Maria\u00A0', 'Maria'],
    ['composed', 'Pen\u0303a', 'Pe\u00F1a'],
    ['made of compatible characters', '\uFF21\uFF22\uFF23', 'ABC'],
    ['kept inside', 'Maria  de  los Santos', 'Maria  de  los Santos'],
    ['absent when it is empty', '', null],
    ['absent when it is white space', ' \u3000\t', null],
  ])('is %s', (_what, sent, normal) => {
    expect(normalizeText(sent)).toBe(normal);
  });
});
