import { useNow } from './use-now.ts';

const TICK_MS = 5_000;

interface FreshnessProps {
  readonly updatedAt: number;
  /** Why the last read failed; null when it did not. */
  readonly error: unknown;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
}

/** How old what is shown is, for a page that reads again by itself, with the switch that stops it (WCAG 2.2.2). */
export function Freshness({ updatedAt, error, isPaused, onPause }: FreshnessProps) {
  const now = useNow(TICK_MS);
  const seconds = Math.max(0, Math.round((now - updatedAt) / 1_000));
  const age = seconds < 2 * (TICK_MS / 1_000) ? 'updated just now' : `updated ${seconds} s ago`;
  return (
    <span className="quiet figure">
      {error === null ? age : `not updated for ${seconds} s: no answer`}{' '}
      <button type="button" className="link" onClick={() => onPause(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
    </span>
  );
}
