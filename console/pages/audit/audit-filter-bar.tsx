import { AUDIT_ACTIONS, AUDIT_TARGET_TYPES } from 'virtual:contract';
import { DayFilter } from '../../ui/list/day-filter.tsx';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { MultiFilter } from '../../ui/list/multi-filter.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { inWords } from '../../words.ts';
import { ActorFilter } from './actor-filter.tsx';

/** By their words, so that the actions on one kind of object stand together. */
const ACTIONS = [...AUDIT_ACTIONS].sort();

const TARGET_TYPE_WORDS = Object.fromEntries(
  AUDIT_TARGET_TYPES.map((type) => [type, inWords(type)]),
) as Record<(typeof AUDIT_TARGET_TYPES)[number], string>;

interface AuditFilterBarProps {
  readonly filters: Filters;
  readonly error: unknown;
}

export function AuditFilterBar({ filters, error }: AuditFilterBarProps) {
  const props = (name: string) => filterProps(filters, name);
  return (
    <FilterBar filters={filters} error={error}>
      <MultiFilter
        label="Action"
        any="Any action"
        options={ACTIONS}
        wordsOf={inWords}
        {...props('action')}
      />
      <ActorFilter {...props('actorId')} />
      <SelectFilter
        label="Object type"
        any="Any object"
        options={AUDIT_TARGET_TYPES}
        words={TARGET_TYPE_WORDS}
        {...props('targetType')}
      />
      <InputFilter label="Object id" {...props('targetId')} />
      <InputFilter label="Request id" {...props('requestId')} />
      <DayFilter filters={filters} label="From" name="from" />
      <DayFilter filters={filters} label="To" name="to" isEnd />
    </FilterBar>
  );
}
