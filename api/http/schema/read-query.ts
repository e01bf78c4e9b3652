import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { flawOfText } from '../body/read-json.ts';
import type { Checked } from './check-schema.ts';
import { pathOf } from './field-path.ts';

type Parameters = Checked<Readonly<Record<string, string>>>;

/** The parameters behind the `?` of a raw target. */
export function readQuery(target: string): Parameters {
  const at = target.indexOf('?');
  return readForm(at === -1 ? '' : target.slice(at + 1));
}

/** The members of `application/x-www-form-urlencoded`, each at most once. */
export function readForm(text: string): Parameters {
  const members = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    const flaw = members.has(name)
      ? 'Given more than once.'
      : (flawOfText(name) ?? flawOfText(value));
    if (flaw !== undefined) findings.push(makeFinding('INVALID_FORMAT', pathOf([name]), flaw));
    members.set(name, value);
  }
  return findings.length === 0 ? { value: Object.fromEntries(members) } : { findings };
}
