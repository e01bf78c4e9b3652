import { IDENTIFIER_KINDS, type IdentifierKind } from '../contract/enums.ts';
import { normalizeText } from './text.ts';

/** A normalized identifier that has the form of its kind (D7). */
export type Identifier = string & { readonly __brand: 'Identifier' };

/** The permitted lengths after normalization, both ends included (D7). */
export const IDENTIFIER_LENGTHS = {
  plateNumber: { min: 2, max: 10 },
  mvFileNumber: { min: 4, max: 20 },
  engineNumber: { min: 4, max: 25 },
  chassisNumber: { min: 4, max: 25 },
} as const satisfies Record<IdentifierKind, { min: number; max: number }>;

const DROPPED = /[\s\-‐‑./_]/gu;
const ALLOWED = /^[A-Z0-9]+$/;

/**
 * Upper-cases an identifier and drops spaces, hyphens, dots, slashes and underscores; null for absent (D7).
 * Only ASCII letters are upper-cased. Upper-casing ß or ı would give ASCII letters, and so perhaps another vehicle's identifier.
 */
export function normalizeIdentifier(text: string | null | undefined): string | null {
  // Nearly all identifiers arrive in their normal form.
  if (typeof text === 'string' && ALLOWED.test(text)) return text;
  const normal = normalizeText(text)?.replace(DROPPED, '').replace(/[a-z]/g, upperCased);
  return normal === undefined || normal === '' ? null : normal;
}

function upperCased(letter: string): string {
  return letter.toUpperCase();
}

export function isIdentifier(kind: IdentifierKind, normal: string): normal is Identifier {
  const { min, max } = IDENTIFIER_LENGTHS[kind];
  return (
    normal.length >= min && normal.length <= max && ALLOWED.test(normal) && /[0-9]/.test(normal)
  );
}

/** The rule for identifiers of a kind, for messages. */
export function identifierRule(kind: IdentifierKind): string {
  const { min, max } = IDENTIFIER_LENGTHS[kind];
  return `${min} to ${max} letters A–Z and digits, at least one digit; spaces, hyphens, dots, slashes and underscores are ignored`;
}

/** The four normalized identifiers of a vehicle, null where absent. */
export type Identifiers = Readonly<Record<IdentifierKind, string | null>>;

/** The kinds and values that are present, most specific first. */
export function presentIdentifiers(identifiers: Identifiers): KindAndValue[] {
  const present: KindAndValue[] = [];
  for (const kind of IDENTIFIER_KINDS) {
    const value = identifiers[kind];
    if (value !== null) present.push({ kind, value });
  }
  return present;
}

/** The identifiers of the vehicle that are not known yet, most specific first. */
export function identifiersBeyond(
  vehicle: Identifiers,
  known: readonly KindAndValue[],
): KindAndValue[] {
  const present = presentIdentifiers(vehicle);
  if (known.length === 0) return present;
  const texts = new Set(known.map(identifierText));
  return present.filter((one) => !texts.has(identifierText(one)));
}

export interface KindAndValue {
  readonly kind: IdentifierKind;
  readonly value: string;
}

/** A text that is unique to the identifier: the same value as a plate and as an engine number are two identifiers. */
export function identifierText({ kind, value }: KindAndValue): string {
  return `${kind}:${value}`;
}
