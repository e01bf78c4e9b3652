import type { TrialVerdict, VerdictDifference } from '../../contract/staff/rules.ts';
import { assertPresent } from '../assert-present.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import type { Submission } from '../registration/submission.ts';
import type { Facts, RuleSet } from './facts.ts';
import { judge, type Verdict } from './judge.ts';

export interface RulesTried {
  readonly present: TrialVerdict;
  readonly tried: TrialVerdict;
  readonly differences: readonly VerdictDifference[];
  /** True if the acknowledgment would be different. */
  readonly isChanged: boolean;
}

/** Judges a submission under the facts' rule set and under another one, with all other facts the same. */
export function tryRules(submission: Submission, facts: Facts, ruleSet: RuleSet): RulesTried {
  const otherFacts = { ...facts, ruleSet };
  const [presentVerdict, triedVerdict] = [judge(submission, facts), judge(submission, otherFacts)];
  const present = shownVerdict(presentVerdict, submission, facts);
  const tried = shownVerdict(triedVerdict, submission, otherFacts);
  const differences = compareVerdicts(presentVerdict, triedVerdict);
  const isChanged = differences.length > 0 || present.coverageStatus !== tried.coverageStatus;
  return { present, tried, differences, isChanged };
}

function shownVerdict(
  { status, errorCode }: Verdict,
  { certificate }: Submission,
  { today, ruleSet }: Facts,
): TrialVerdict {
  if (status === 'REJECTED') return { status, errorCode, coverageStatus: null };
  const dates = {
    lifecycle: 'CURRENT' as const,
    effectiveDate: assertPresent(certificate.effectiveDate),
    expirationDate: assertPresent(certificate.expirationDate),
  };
  const coverageStatus = coverageStatusOn(today, dates, ruleSet.expiringWithinDays);
  return { status, errorCode, coverageStatus };
}

/** The findings and flags that only one of the verdicts has, by code. */
function compareVerdicts(present: Verdict, tried: Verdict): VerdictDifference[] {
  const [before, after] = [reasonsOf(present), reasonsOf(tried)];
  return [...onlyIn(after, before, 'ADDED'), ...onlyIn(before, after, 'REMOVED')];
}

type Reason = Pick<VerdictDifference, 'kind' | 'code' | 'field' | 'message'>;

function reasonsOf({ findings, flags }: Verdict): Reason[] {
  return [
    ...findings.map(({ code, field, message }) => ({
      kind: 'FINDING' as const,
      code,
      field,
      message,
    })),
    ...flags.map(({ type, position, message }) => ({
      kind: 'FLAG' as const,
      code: type,
      field: `vehicles[${position}]`,
      message,
    })),
  ];
}

function onlyIn(
  reasons: readonly Reason[],
  others: readonly Reason[],
  change: VerdictDifference['change'],
): VerdictDifference[] {
  const known = new Set(others.map(keyOf));
  const byCode = new Map<string, VerdictDifference>();
  for (const reason of reasons) {
    if (known.has(keyOf(reason))) continue;
    const code = `${reason.kind} ${reason.code}`;
    const { count } = byCode.get(code) ?? { count: 0 };
    byCode.set(code, { ...(byCode.get(code) ?? { change, ...reason }), count: count + 1 });
  }
  return [...byCode.values()];
}

/** Messages name the limits of their rule set, so they are not compared. */
function keyOf({ kind, code, field }: Reason): string {
  return JSON.stringify([kind, code, field]);
}
