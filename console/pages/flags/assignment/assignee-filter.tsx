import { useSession } from '../../../session/session-context.ts';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import type { Filters } from '../../../ui/list/use-filters.ts';
import { assigneeChoice, assigneeFilters } from './assignee-choice.ts';

const WORDS = { mine: 'Mine', nobody: "Nobody's", somebody: "Somebody's" } as const;

/** Who works on the flags. The API has two filters for it. */
export function AssigneeFilter({ filters }: { filters: Filters }) {
  const { session } = useSession();
  return (
    <SelectFilter
      label="Assignee"
      any="Any assignee"
      options={['mine', 'nobody', 'somebody']}
      words={WORDS}
      value={assigneeChoice(filters.query, session.user.id)}
      onChange={(choice) => filters.setFilters(assigneeFilters(choice, session.user.id))}
    />
  );
}
