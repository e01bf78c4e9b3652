import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { isApiError } from '../../../api/errors.ts';
import { keyOf, useRead } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Freshness } from '../../../ui/freshness.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { exactTime, Facts, identifier, nameOf } from '../../../ui/values/facts.tsx';
import { ImportStatusTag } from '../import-status-tag.tsx';
import { explainImport, isInProgress, type ReferenceImport, sizeInWords } from '../import-words.ts';
import { ImportErrors } from './import-errors.tsx';
import { ImportProgress } from './import-progress.tsx';
import { RegionResults } from './region-results.tsx';

const POLL_MS = 2_000;

/** One import: its progress while it runs, then the result by region and the errors by line. */
export function ImportPage() {
  const { importId } = useParams<{ importId: string }>();
  const [isPaused, pause] = useState(false);
  const { data: one, error, dataUpdatedAt, refetch } = useImport(importId, isPaused);
  return (
    <div className="page">
      <p>
        <Link href="/reference">Reference data</Link>
      </p>
      {one !== undefined ? (
        <>
          <Import one={one} error={error} onRetry={() => void refetch()} />
          {isInProgress(one) ? (
            <Freshness
              updatedAt={dataUpdatedAt}
              error={error}
              isPaused={isPaused}
              onPause={pause}
            />
          ) : null}
        </>
      ) : isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED') ? (
        <PageTitle title="There is no such import" />
      ) : error === null ? (
        <p className="loading">Loading the import…</p>
      ) : (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/** Reads the import again until it has ended. What it changed is then read anew wherever it shows. */
function useImport(importId: string, isPaused: boolean) {
  const client = useQueryClient();
  const request = { params: { importId } };
  const earlier = client.getQueryData<ReferenceImport>(keyOf('readReferenceImport', request));
  const isOver = earlier !== undefined && !isInProgress(earlier);
  const read = useRead(
    'readReferenceImport',
    request,
    isOver || isPaused ? {} : { pollMs: POLL_MS },
  );
  useEffect(() => {
    if (!isOver) return;
    for (const name of ['listReferenceRegions', 'listReferenceImports', 'listReferenceVehicles'])
      void client.invalidateQueries({ queryKey: [name] });
  }, [isOver, client]);
  return read;
}

interface ImportProps {
  readonly one: ReferenceImport;
  readonly error: unknown;
  readonly onRetry: () => void;
}

function Import({ one, error, onRetry }: ImportProps) {
  return (
    <>
      <PageTitle title="Import of reference data" />
      <ErrorAlert error={error} onRetry={onRetry} />
      <p className="reason" role="status">
        <ImportStatusTag status={one.status} /> {explainImport(one)}
      </p>
      {isInProgress(one) ? <ImportProgress one={one} /> : null}
      <Facts
        facts={[
          ['Uploaded', exactTime(one.uploadedAt)],
          ['By', nameOf(one.uploadedBy ?? 'the registry')],
          ['Started', exactTime(one.startedAt)],
          ['Ended', exactTime(one.completedAt)],
          ['Size', sizeInWords(one.fileBytes)],
          ['Lines', one.rowsRead.toLocaleString('en')],
          ['Errors', one.errorCount.toLocaleString('en')],
          ['SHA-256', identifier(one.fileSha256)],
        ]}
      />
      {one.lastError === null ? null : (
        <div className="alert alert-warning">
          <p>
            Attempt {one.attempts} failed: {one.lastError}
          </p>
        </div>
      )}
      {one.regions.length === 0 ? null : (
        <section className="page-section" aria-labelledby="regions">
          <h2 id="regions">Regions</h2>
          <RegionResults one={one} />
        </section>
      )}
      {isInProgress(one) || one.errorCount === 0 ? null : (
        <section className="page-section" aria-labelledby="errors">
          <h2 id="errors">Errors</h2>
          <ImportErrors importId={one.id} errorCount={one.errorCount} />
        </section>
      )}
    </>
  );
}
