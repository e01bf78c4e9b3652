import { useEffect, useRef, useState } from 'react';
import type { ReadName, RequestOf } from '../../api/contract.ts';
import { downloadCsv } from '../../api/download-csv.ts';
import { countOf } from '../../words.ts';
import { ErrorAlert } from '../error-alert.tsx';

interface ExportButtonProps<Name extends ReadName> {
  /** A list that the registry exports as CSV. */
  readonly name: Name;
  /** As the list is read. All pages are exported, whatever the cursor says. */
  readonly request: RequestOf<Name>;
  readonly fileName: string;
}

/** Saves all rows that match the filters as a CSV file, and says whether the file is complete. The audit log gets an entry. */
export function ExportButton<Name extends ReadName>({
  name,
  request,
  fileName,
}: ExportButtonProps<Name>) {
  const [rows, setRows] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = (): void => {
    const controller = new AbortController();
    running.current = controller;
    setRows(undefined);
    setError(undefined);
    setIsPending(true);
    downloadCsv(name, request, fileName, controller.signal)
      .then(setRows, (failure: unknown) => {
        if (!controller.signal.aborted) setError(failure);
      })
      .finally(() => setIsPending(false));
  };
  const cancel = (): void => running.current?.abort();
  return (
    <div className="export">
      <button type="button" className="link" onClick={isPending ? cancel : start}>
        {isPending ? 'Cancel the export' : 'Export as CSV'}
      </button>
      <span className="quiet" role="status">
        {isPending ? ' Exporting…' : null}
        {rows === undefined || isPending ? null : ` ${countOf(rows, 'row')} saved`}
      </span>
      <ErrorAlert error={error} />
    </div>
  );
}
