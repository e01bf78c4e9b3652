import { FLAG_ORDERS, FLAG_STATUSES, FLAG_TYPES, REGIONS } from 'virtual:contract';
import { DayFilter } from '../../ui/list/day-filter.tsx';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { FLAG_ORDER_WORDS, FLAG_STATUS_WORDS, FLAG_TYPE_WORDS } from '../../words.ts';
import { AGE_WORDS, ageChoice, ageFilters } from './age-choice.ts';
import { AssigneeFilter } from './assignment/assignee-filter.tsx';

/** Filters that are seldom used; they show while one of them is set. */
const MORE = [
  'plateNumber',
  'registryReference',
  'ageDaysMin',
  'ageDaysMax',
  'reviewedBy',
  'reviewedFrom',
  'reviewedTo',
];

interface FlagFilterBarProps {
  readonly filters: Filters;
  readonly error: unknown;
}

export function FlagFilterBar({ filters, error }: FlagFilterBarProps) {
  const props = (name: string) => filterProps(filters, name);
  return (
    <FilterBar filters={filters} error={error}>
      <SelectFilter
        label="Status"
        any="Any status"
        options={FLAG_STATUSES}
        words={FLAG_STATUS_WORDS}
        {...props('status')}
      />
      <SelectFilter
        label="Type"
        any="Any type"
        options={FLAG_TYPES}
        words={FLAG_TYPE_WORDS}
        {...props('type')}
      />
      <SelectFilter label="Region" any="Any region" options={REGIONS} {...props('region')} />
      <SelectFilter
        label="Order"
        any="Oldest first"
        options={FLAG_ORDERS.filter((order) => order !== 'oldest')}
        words={FLAG_ORDER_WORDS}
        {...props('order')}
      />
      <AssigneeFilter filters={filters} />
      <InputFilter label="Insurer code" {...props('insurerCode')} />
      <details className="more-filters" open={MORE.some((name) => name in filters.query)}>
        <summary>More filters</summary>
        <div className="filters">
          <InputFilter label="Plate number" {...props('plateNumber')} />
          <InputFilter label="Record" {...props('registryReference')} />
          <SelectFilter
            label="Age"
            any="Any age"
            options={Object.keys(AGE_WORDS)}
            words={AGE_WORDS}
            value={ageChoice(filters.query)}
            onChange={(choice) => filters.setFilters(ageFilters(choice))}
          />
          <InputFilter label="Decided by (e-mail)" {...props('reviewedBy')} />
          <DayFilter filters={filters} label="Decided from" name="reviewedFrom" />
          <DayFilter filters={filters} label="Decided to" name="reviewedTo" isEnd />
        </div>
      </details>
    </FilterBar>
  );
}
