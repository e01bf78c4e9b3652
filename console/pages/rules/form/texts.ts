import type { RequestOf } from '../../../api/contract.ts';
import type { RuleName, RuleSet } from '../rule-set.ts';

/** What the fields of a rule set hold while somebody types. */
export type Texts = Readonly<Record<RuleName | 'note', string>>;
type FieldName = keyof Texts;

export function textsOf(ruleSet: Pick<RuleSet, FieldName>): Texts {
  return {
    coverageTypes: ruleSet.coverageTypes.join('\n'),
    maxCoverageDays: String(ruleSet.maxCoverageDays),
    maxVehiclesPerCertificate: String(ruleSet.maxVehiclesPerCertificate),
    expiringWithinDays: String(ruleSet.expiringWithinDays),
    flagNoMatch: String(ruleSet.flagNoMatch),
    flagForReview: String(ruleSet.flagForReview),
    note: ruleSet.note ?? '',
  };
}

/** A number that is none becomes null, which the registry refuses at its field. */
export function bodyOf(texts: Texts): RequestOf<'draftRuleSet'>['body'] {
  return {
    coverageTypes: texts.coverageTypes.split(/[\s,]+/).filter((one) => one !== ''),
    maxCoverageDays: Number(texts.maxCoverageDays),
    maxVehiclesPerCertificate: Number(texts.maxVehiclesPerCertificate),
    expiringWithinDays: Number(texts.expiringWithinDays),
    flagNoMatch: texts.flagNoMatch === 'true',
    flagForReview: texts.flagForReview === 'true',
    note: texts.note.trim() === '' ? null : texts.note,
  };
}

export function areSame(one: Texts, other: Texts): boolean {
  return fieldsOf(one).every((name) => one[name] === other[name]);
}

/** My changes of what I read, applied to what is stored now: a field that I left alone is as it is now. */
export function rebase(mine: Texts, read: Texts, now: Texts): Texts {
  return mapFields(mine, (name) => (mine[name] === read[name] ? now[name] : mine[name]));
}

/** The fields that are not the same in all three. */
export function fieldsInConflict(mine: Texts, read: Texts, now: Texts): FieldName[] {
  const rebased = rebase(mine, read, now);
  return fieldsOf(mine).filter((name) => read[name] !== now[name] || now[name] !== rebased[name]);
}

function fieldsOf(texts: Texts): FieldName[] {
  return Object.keys(texts) as FieldName[];
}

function mapFields(texts: Texts, change: (name: FieldName) => string): Texts {
  return Object.fromEntries(fieldsOf(texts).map((name) => [name, change(name)])) as Texts;
}
