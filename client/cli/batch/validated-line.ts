import type { ValidationResult } from '../../../shared/contract/machine/transmissions/validation.ts';
import type { Outcome } from '../../outcome.ts';
import type { Named, SettledLine } from './journal/journal-lines.ts';
import { END_OF_STATUS, httpOf } from './transmit/collected-line.ts';
import { settledLineOf } from './transmit/settled-line.ts';

/** The outcome that a transmission would have (D38). It has no references, because nothing was registered. */
export function validatedLineOf(named: Named, outcome: Outcome<ValidationResult>): SettledLine {
  if (!outcome.ok) return settledLineOf(named, outcome);
  const { outcome: status, errorCode, errors, evaluatedAt } = outcome.data;
  return {
    ...named,
    type: 'settled',
    end: END_OF_STATUS[status],
    http: errorCode === null ? outcome.status : httpOf(errorCode),
    errorCode,
    transmissionReference: null,
    registryReference: null,
    details: errors.map(({ code, field, message }) => ({ code, field, message })),
    at: evaluatedAt,
  };
}
