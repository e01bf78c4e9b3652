import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { findTextProblem } from '../body/read-json.ts';
import type { Checked } from './check-schema.ts';
import { pathOf } from './field-path.ts';

type Parameters = Checked<Readonly<Record<string, string>>>;

/** The query parameters of a raw target. */
export function readQuery(target: string): Parameters {
  const at = target.indexOf('?');
  return readForm(at === -1 ? '' : target.slice(at + 1));
}

/** The members of `application/x-www-form-urlencoded`, each at most once. */
export function readForm(text: string): Parameters {
  const members = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    const problem = members.has(name)
      ? 'Given more than once.'
      : (findTextProblem(name) ?? findTextProblem(value));
    if (problem !== undefined)
      findings.push(makeFinding('INVALID_FORMAT', pathOf([name]), problem));
    members.set(name, value);
  }
  return findings.length === 0 ? { value: Object.fromEntries(members) } : { findings };
}
