import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isApiError } from '../../api/errors.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { PageTitle } from '../page-title.tsx';

interface LoadedProps<Data> {
  readonly read: UseQueryResult<Data>;
  /** "organization" */
  readonly noun: string;
  readonly children: (data: Data) => ReactNode;
}

/** The page of one object in each of its states: loading, not there, failed, and read. */
export function Loaded<Data>({
  read: { data, error, refetch },
  noun,
  children,
}: LoadedProps<Data>) {
  const alert = <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data !== undefined) {
    return (
      <>
        {alert}
        {children(data)}
      </>
    );
  }
  // An id that is none is refused as VALIDATION_FAILED.
  if (isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED')) {
    return (
      <>
        <PageTitle title={`There is no such ${noun}`} />
        <p>The link may be old or incomplete.</p>
      </>
    );
  }
  return error === null ? <p className="loading">Loading the {noun}…</p> : alert;
}
