import type { IdentifierKind } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import { readCriteria } from '../../shared/domain/search-criteria.ts';

type Criterion = IdentifierKind | 'policyNumber' | 'cocNumber';

/**
 * A criterion that normalization leaves empty (D7) would be ignored, and everything listed as if it had been found.
 * @throws {AppError} VALIDATION_FAILED
 */
export function requireMeaningfulCriteria<Name extends Criterion>(
  query: { readonly [Member in Name]?: string | undefined },
  names: readonly Name[],
): void {
  const empty = names.filter((name) => {
    const text: string | undefined = query[name];
    return text !== undefined && readCriteria({ [name]: text }) === undefined;
  });
  if (empty.length > 0) throw emptyOnceNormalized(empty);
}

/** The refusal of search texts of which nothing is left once they are normalized. */
export function emptyOnceNormalized(names: readonly string[]): AppError {
  return new AppError('VALIDATION_FAILED', 'a criterion is empty once it is normalized', {
    details: names.map((name) =>
      makeFinding('INVALID_FORMAT', name, 'Nothing is left of it once it is normalized.'),
    ),
  });
}
