import { IDENTIFIER_KINDS, type IdentifierKind } from '../contract/enums.ts';
import type { KindAndValue } from './identifiers.ts';
import { type Identifiers, normalizeIdentifier, presentIdentifiers } from './identifiers.ts';
import { normalizeText } from './text.ts';

/** What a search looks for, normalized as it is when registered (D7); all of it must match (D16). */
export interface SearchCriteria {
  readonly identifiers: readonly KindAndValue[];
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
}

export type AskedCriteria = {
  readonly [Name in IdentifierKind | 'policyNumber' | 'cocNumber']?: string | undefined;
};

/** Undefined when no criterion is given, or only such as normalize to nothing (D7, D16). */
export function readCriteria(asked: AskedCriteria): SearchCriteria | undefined {
  const identifiers = presentIdentifiers(
    Object.fromEntries(
      IDENTIFIER_KINDS.map((kind) => [kind, normalizeIdentifier(asked[kind])]),
    ) as Identifiers,
  );
  const policyNumber = normalizeText(asked.policyNumber);
  const cocNumber = normalizeText(asked.cocNumber);
  if (identifiers.length === 0 && policyNumber === null && cocNumber === null) return undefined;
  return { identifiers, policyNumber, cocNumber };
}
