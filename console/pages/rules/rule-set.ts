import type { DataOf } from '../../api/contract.ts';

export type RuleSet = DataOf<'readRuleSet'>;
export type RuleName =
  | 'coverageTypes'
  | 'maxCoverageDays'
  | 'maxVehiclesPerCertificate'
  | 'expiringWithinDays'
  | 'flagNoMatch'
  | 'flagForReview';

export const RULE_SET_STATUS_WORDS: Record<RuleSet['status'], string> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  ACTIVE: 'In force',
  SUPERSEDED: 'Superseded',
};

export const RULE_WORDS: Record<RuleName, string> = {
  coverageTypes: 'Coverage types',
  maxCoverageDays: 'Longest cover in days',
  maxVehiclesPerCertificate: 'Most vehicles of a certificate',
  expiringWithinDays: 'Expiring period in days',
  flagNoMatch: 'A vehicle without a match at level 4',
  flagForReview: 'A vehicle for review at level 4',
};

export const RULE_NAMES = Object.keys(RULE_WORDS) as RuleName[];

export const FLAG_RULE_WORDS = { true: 'is flagged', false: 'is not flagged' } as const;

/** Rule sets have no names; the first characters of the id tell them apart. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The values of the rules by their words. */
export function valuesInWords(ruleSet: Pick<RuleSet, RuleName>): Record<string, unknown> {
  return Object.fromEntries(
    RULE_NAMES.map((name) => [RULE_WORDS[name], ruleInWords(ruleSet[name])]),
  );
}

export function ruleInWords(value: RuleSet[RuleName]): string | number | readonly string[] {
  return typeof value === 'boolean' ? FLAG_RULE_WORDS[`${value}`] : value;
}

/** What the later rule set changes, a phrase each: "Longest cover in days: 400 → 365". */
export function changesBetween(
  earlier: Pick<RuleSet, RuleName>,
  later: Pick<RuleSet, RuleName>,
): string[] {
  return RULE_NAMES.flatMap((name) => {
    const [before, after] = [earlier, later].map((one) => textOf(ruleInWords(one[name])));
    return before === after ? [] : `${RULE_WORDS[name]}: ${before} → ${after}`;
  });
}

function textOf(value: string | number | readonly string[]): string {
  return typeof value === 'object' ? value.join(', ') : value.toLocaleString('en');
}
