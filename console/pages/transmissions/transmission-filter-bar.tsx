import {
  CHANNELS,
  ERROR_CODES,
  FINDING_CODES,
  FINDING_DAYS_MAX,
  TRANSMISSION_KINDS,
  TRANSMISSION_STATUSES,
} from 'virtual:contract';
import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';
import { DayFilter } from '../../ui/list/day-filter.tsx';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { lastDays } from './last-days.ts';
import {
  CHANNEL_WORDS,
  TRANSMISSION_KIND_WORDS,
  TRANSMISSION_STATUS_WORDS,
} from './transmission-words.ts';

interface TransmissionFilterBarProps {
  readonly filters: Filters;
  readonly error: unknown;
}

export function TransmissionFilterBar({ filters, error }: TransmissionFilterBarProps) {
  const props = (name: string) => filterProps(filters, name);
  return (
    <FilterBar filters={filters} error={error}>
      <InputFilter label="Identifier of a vehicle" {...props('identifier')} />
      <InputFilter label="External transaction id" {...props('externalTransactionId')} />
      <InputFilter label="Organization code" {...props('organizationCode')} />
      <SelectFilter
        label="Status"
        any="Any status"
        options={TRANSMISSION_STATUSES}
        words={TRANSMISSION_STATUS_WORDS}
        {...props('status')}
      />
      <SelectFilter
        label="Kind"
        any="Any kind"
        options={TRANSMISSION_KINDS}
        words={TRANSMISSION_KIND_WORDS}
        {...props('kind')}
      />
      <SelectFilter
        label="Error code"
        any="Any error code"
        options={ERROR_CODES}
        {...props('errorCode')}
      />
      <DayFilter filters={filters} label="Received from" name="receivedFrom" />
      <DayFilter filters={filters} label="Received to" name="receivedTo" isEnd />
      <MoreFilters filters={filters} />
    </FilterBar>
  );
}

const MORE = [
  'channel',
  'insurerCode',
  'registryReference',
  'policyNumber',
  'cocNumber',
  'findingCode',
  'apiClientId',
  'parked',
];

/** The filters that are used less. They are open when the URL has one of them. */
function MoreFilters({ filters }: { filters: Filters }) {
  const { query, setFilters } = filters;
  const props = (name: string) => filterProps(filters, name);
  const hasOne = MORE.some((name) => query[name] !== undefined);
  // A search for findings needs a short time, so it begins with the longest that is possible.
  const setFindingCode = (findingCode: string): void => {
    const hasTime = query['receivedFrom'] !== undefined || query['receivedTo'] !== undefined;
    const time = lastDays(FINDING_DAYS_MAX, Date.now(), REGISTRY_TIME_ZONE);
    setFilters({ findingCode, ...(findingCode === '' || hasTime ? {} : time) });
  };
  return (
    <details className="more-filters" open={hasOne}>
      <summary>More filters</summary>
      <div className="filters">
        <InputFilter label="Record" {...props('registryReference')} />
        <InputFilter label="Policy number" {...props('policyNumber')} />
        <InputFilter label="Certificate number" {...props('cocNumber')} />
        <InputFilter label="Insurer code" {...props('insurerCode')} />
        <SelectFilter
          label="Finding"
          any="Any finding"
          options={FINDING_CODES}
          value={query['findingCode'] ?? ''}
          onChange={setFindingCode}
        />
        <SelectFilter
          label="Channel"
          any="Any channel"
          options={CHANNELS}
          words={CHANNEL_WORDS}
          {...props('channel')}
        />
        <SelectFilter
          label="Parked"
          any="Parked or not"
          options={['true', 'false']}
          words={{ true: 'Parked', false: 'Not parked' }}
          {...props('parked')}
        />
        <InputFilter label="Id of an API client" {...props('apiClientId')} />
      </div>
    </details>
  );
}
