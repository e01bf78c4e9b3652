import { COVERAGE_STATUSES, LIFECYCLES, RECORD_ORDERS, REGIONS } from 'virtual:contract';
import { DateFilter } from '../../ui/list/date-filter.tsx';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { inWords, RECORD_ORDER_WORDS } from '../../words.ts';

interface RecordFilterBarProps {
  readonly filters: Filters;
  readonly error: unknown;
}

const STATUS_WORDS = wordsOf(COVERAGE_STATUSES);
const LIFECYCLE_WORDS = wordsOf(LIFECYCLES);
const OPEN_FLAG_WORDS = { true: 'With open flags', false: 'Without open flags' } as const;

export function RecordFilterBar({ filters, error }: RecordFilterBarProps) {
  const props = (name: string) => filterProps(filters, name);
  return (
    <FilterBar filters={filters} error={error}>
      <InputFilter label="Plate number" {...props('plateNumber')} />
      <InputFilter label="MV file number" {...props('mvFileNumber')} />
      <InputFilter label="Engine number" {...props('engineNumber')} />
      <InputFilter label="Chassis number" {...props('chassisNumber')} />
      <InputFilter label="Policy number" {...props('policyNumber')} />
      <InputFilter label="Certificate number" {...props('cocNumber')} />
      <SelectFilter
        label="Cover"
        any="Any cover"
        options={COVERAGE_STATUSES}
        words={STATUS_WORDS}
        {...props('status')}
      />
      <SelectFilter
        label="Lifecycle"
        any="Any lifecycle"
        options={LIFECYCLES}
        words={LIFECYCLE_WORDS}
        {...props('lifecycle')}
      />
      <SelectFilter label="Region" any="Any region" options={REGIONS} {...props('region')} />
      <SelectFilter
        label="Open flags"
        any="With or without flags"
        options={['true', 'false']}
        words={OPEN_FLAG_WORDS}
        {...props('hasOpenFlags')}
      />
      <InputFilter label="Insurer code" {...props('insurerCode')} />
      <InputFilter label="Transmitter code" {...props('transmitterCode')} />
      <InputFilter label="Pool code" {...props('poolCode')} />
      <SelectFilter
        label="Order"
        any={RECORD_ORDER_WORDS.newest}
        options={RECORD_ORDERS.filter((order) => order !== 'newest')}
        words={RECORD_ORDER_WORDS}
        {...props('order')}
      />
      <DateFilter label="Effective from" {...props('effectiveFrom')} />
      <DateFilter label="Effective to" {...props('effectiveTo')} />
      <DateFilter label="Expires from" {...props('expirationFrom')} />
      <DateFilter label="Expires to" {...props('expirationTo')} />
    </FilterBar>
  );
}

function wordsOf<Constant extends string>(
  constants: readonly Constant[],
): Record<Constant, string> {
  const entries = constants.map((constant) => [constant, inWords(constant)]);
  return Object.fromEntries(entries) as Record<Constant, string>;
}
