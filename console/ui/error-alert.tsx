import { useState } from 'react';
import { Cancelled, isApiError } from '../api/errors.ts';
import { FieldLink } from './form/field-link.tsx';
import { useNow } from './use-now.ts';
import { CopyButton } from './values/copy-button.tsx';

interface ErrorAlertProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Says what failed, in the registry's words, with the number by which its operator finds the request. Nothing without an error. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  if (error === undefined || error === null || error instanceof Cancelled) return null;
  const requestId = isApiError(error) ? error.requestId : undefined;
  const details = isApiError(error)
    ? error.details.filter(({ message }) => message !== error.message)
    : [];
  const wait = isApiError(error) ? error.retryAfterSeconds : undefined;
  return (
    <div role="alert" className="alert alert-error">
      <p>{messageOf(error)}</p>
      {details.length === 0 ? null : (
        <ul>
          {details.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field === null ? null : <FieldLink field={field} message={message} />} {message}
            </li>
          ))}
        </ul>
      )}
      {wait === undefined ? null : <Countdown key={requestId} seconds={wait} />}
      <div className="alert-actions">
        {onRetry === undefined ? null : (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
        {requestId === undefined ? null : (
          <span className="quiet">
            Request <code>{requestId}</code> <CopyButton text={requestId} what="request id" />
          </span>
        )}
      </div>
    </div>
  );
}

/** How long the registry asks to wait. */
function Countdown({ seconds }: { seconds: number }) {
  const [startedAt] = useState(() => Date.now());
  const left = Math.ceil(seconds - (useNow(1_000) - startedAt) / 1_000);
  return <p className="figure">{left > 0 ? `Try again in ${left} s.` : 'Try again now.'}</p>;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
