import { Tag } from '../../ui/values/tag.tsx';
import { RULE_SET_STATUS_WORDS, type RuleSet } from './rule-set.ts';

const TONES = {
  DRAFT: 'neutral',
  SCHEDULED: 'waiting',
  ACTIVE: 'good',
  SUPERSEDED: 'neutral',
} as const;

export function RuleSetTag({ status }: Pick<RuleSet, 'status'>) {
  return <Tag tone={TONES[status]}>{RULE_SET_STATUS_WORDS[status]}</Tag>;
}
