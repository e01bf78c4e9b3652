import { IDENTIFIER_KINDS, type IdentifierKind } from '../contract/enums.ts';
import {
  type Identifiers,
  type KindAndValue,
  normalizeIdentifier,
  presentIdentifiers,
} from './identifiers.ts';
import { normalizeText } from './text.ts';

/** The criteria of a search, normalized like registered values (D7). All of them must match (D16). */
export interface SearchCriteria {
  readonly identifiers: readonly KindAndValue[];
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
}

export type CriteriaQuery = {
  readonly [Name in IdentifierKind | 'policyNumber' | 'cocNumber']?: string | undefined;
};

/** Undefined when the query has no criterion, or when all criteria are empty after normalization (D7, D16). */
export function readCriteria(query: CriteriaQuery): SearchCriteria | undefined {
  const identifiers = presentIdentifiers(
    Object.fromEntries(
      IDENTIFIER_KINDS.map((kind) => [kind, normalizeIdentifier(query[kind])]),
    ) as Identifiers,
  );
  const policyNumber = normalizeText(query.policyNumber);
  const cocNumber = normalizeText(query.cocNumber);
  if (identifiers.length === 0 && policyNumber === null && cocNumber === null) return undefined;
  return { identifiers, policyNumber, cocNumber };
}
