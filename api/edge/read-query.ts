import { makeFinding } from '../../shared/contract/findings.ts';
import { makeSchemaError } from './check-schema.ts';
import { pathOf } from './field-path.ts';
import { flawOfText } from './read-json.ts';

/** The parameters behind the `?` of a raw target. @throws {AppError} VALIDATION_FAILED when one is repeated or holds what no text may. */
export function readQuery(target: string): Record<string, string> {
  const at = target.indexOf('?');
  return readForm(at === -1 ? '' : target.slice(at + 1));
}

/** The members of `application/x-www-form-urlencoded`, each at most once. @throws {AppError} VALIDATION_FAILED */
export function readForm(text: string): Record<string, string> {
  const members = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const flaw = members.has(name)
      ? 'Given more than once.'
      : (flawOfText(name) ?? flawOfText(value));
    if (flaw !== undefined)
      throw makeSchemaError([makeFinding('INVALID_FORMAT', pathOf([name]), flaw)], 'parameters');
    members.set(name, value);
  }
  return Object.fromEntries(members);
}
