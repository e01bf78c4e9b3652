import { isApiError, Unreachable } from '../../../api/errors.ts';
import { useChange } from '../../../api/queries.ts';
import { useDraft } from '../../../session/drafts.tsx';
import type { RuleSet } from '../rule-set.ts';
import { useRuleSetCache } from '../use-rule-set-cache.ts';
import { draftKeyOf } from './draft-keys.ts';
import { areSame, bodyOf, type Texts, textsOf } from './texts.ts';

/** What somebody has typed, and what they had read when they began. */
interface Edited {
  readonly read: RuleSet;
  readonly texts: Texts;
}

export interface Editing extends Edited {
  /** The rule set as it is stored. */
  readonly now: RuleSet;
  readonly isDirty: boolean;
  /** True when somebody else has changed the rule set since it was read. */
  readonly isStale: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  change(texts: Texts): void;
  save(texts: Texts, expectedVersion: number): void;
  discard(): void;
}

/** The changes of a draft that are not saved yet. They outlive the page and the session. */
export function useEditing(now: RuleSet): Editing {
  const [typed, type] = useDraft(draftKeyOf(now.id));
  const cache = useRuleSetCache(now.id);
  const changing = useChange('changeRuleSet', (saved) => {
    type('');
    cache.show(saved);
  });
  const stored = typed === '' ? undefined : (JSON.parse(typed) as Edited);
  const isDirty = stored !== undefined && !areSame(stored.texts, textsOf(now));
  const { read, texts } = isDirty ? stored : { read: now, texts: textsOf(now) };

  const onError = (error: unknown): void => {
    // A current object of another version makes the form stale.
    if (isApiError(error, 'CONFLICT') && error.data !== null) cache.show(error.data as RuleSet);
    if (error instanceof Unreachable) cache.readAgain();
  };
  return {
    read,
    texts,
    now,
    isDirty,
    isStale: isDirty && read.version !== now.version,
    error: changing.error,
    isPending: changing.isPending,
    change: (next) => type(JSON.stringify({ read, texts: next } satisfies Edited)),
    save: (next, expectedVersion) => {
      const request = { params: { ruleSetId: now.id }, body: { ...bodyOf(next), expectedVersion } };
      changing.mutate(request, { onError });
    },
    discard: () => {
      type('');
      changing.reset();
    },
  };
}
