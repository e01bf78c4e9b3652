import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Facts } from '../../../ui/values/facts.tsx';
import { countOf } from '../../../words.ts';
import { type ParkedFilter, useSending } from './use-sending.ts';

interface SendAllAgainProps {
  /** Of the list; the registry refuses what is no filter. */
  readonly filter: ParkedFilter;
  /** How many match it. The dialog stays when none is left. */
  readonly total: number;
}

const NOUN = 'parked transmission';

/** Sends what the filter matches again, after a dialog that repeats the filter and the number. */
export function SendAllAgain({ filter, total }: SendAllAgainProps) {
  // As they were when the dialog opened: the list behind it goes on changing.
  const [agreed, setAgreed] = useState<SendAllAgainProps>();
  return (
    <>
      {total === 0 ? null : (
        <button type="button" className="primary" onClick={() => setAgreed({ filter, total })}>
          Send {total === 1 ? 'it' : `all ${total.toLocaleString('en')}`} again
        </button>
      )}
      {agreed === undefined ? null : (
        <SendAllDialog {...agreed} onClose={() => setAgreed(undefined)} />
      )}
    </>
  );
}

function SendAllDialog({ filter, total, onClose }: SendAllAgainProps & { onClose: () => void }) {
  const sending = useSending(filter, total);
  const { state, sent, left, error } = sending;
  const isRunning = state === 'running';
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={`Send ${countOf(total, NOUN)} again?`}
      {...(isRunning ? {} : { onClose })}
    >
      <FilterInWords filter={filter} />
      <p>Each is due at once and has all its retries again. The audit log keeps what was sent.</p>
      {state === 'ready' ? null : (
        <>
          <progress aria-label="Sent again" value={Math.min(sent, total)} max={total} />
          <p role="status" className="figure">
            {sent.toLocaleString('en')} of {total.toLocaleString('en')} sent again.{' '}
            {state === 'ended' && left > 0
              ? `${countOf(left, NOUN)} still match${left === 1 ? 'es' : ''} the filter.`
              : null}
          </p>
        </>
      )}
      <ErrorAlert error={error} />
      <div className="buttons">
        {state === 'ready' ? (
          <button type="button" className="primary" onClick={sending.start}>
            Send again
          </button>
        ) : null}
        {state === 'ended' && left > 0 && sent < total ? (
          <button type="button" className="primary" onClick={sending.start}>
            Continue
          </button>
        ) : null}
        {isRunning ? (
          <button type="button" onClick={sending.stop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={onClose}>
            {state === 'ready' ? 'Cancel' : 'Close'}
          </button>
        )}
      </div>
    </Dialog>
  );
}

const FILTER_WORDS: Record<keyof ParkedFilter, string> = {
  kind: 'Kind',
  organizationCode: 'Organization code',
  lastError: 'Part of the error',
  parkedFrom: 'Parked at or after',
  parkedTo: 'Parked before',
};

function FilterInWords({ filter }: { filter: ParkedFilter }) {
  const names = (Object.keys(FILTER_WORDS) as (keyof ParkedFilter)[]).filter(
    (name) => filter[name] !== undefined,
  );
  if (names.length === 0) return <p>All parked transmissions, without a filter.</p>;
  return <Facts facts={names.map((name) => [FILTER_WORDS[name], filter[name] ?? null])} />;
}
